import type { JobDetail } from '../../../src-shared/model/job.ts';
import { Time } from '../../components/Time.tsx';
import { formatCount, formatDuration } from '../../model/format-number.ts';
import { outcomeWord } from '../../model/job-words.ts';

interface Props {
  readonly history: JobDetail['history'];
  readonly attempts: number;
  /** What it waits for before the first one; empty when it does not wait. */
  readonly waits: string;
}

/** Every attempt with its outcome, oldest first. */
export function JobAttempts({ history, attempts, waits }: Props) {
  if (history.length === 0) return <p className="dim">{waits === '' ? 'None.' : `None yet: it ${waits}.`}</p>;
  return (
    <>
      {history.length < attempts && (
        <p className="note">
          The newest {formatCount(history.length)} of {formatCount(attempts)} attempts.
        </p>
      )}
      <table className="plain-table attempts">
        <thead>
          <tr>
            <th scope="col" className="right">
              #
            </th>
            <th scope="col">Began</th>
            <th scope="col" className="right">
              Took
            </th>
            <th scope="col">Outcome</th>
            <th scope="col">Error</th>
          </tr>
        </thead>
        <tbody>
          {history.map((attempt) => (
            <tr key={`${attempt.number} ${attempt.started_at}`}>
              <td className="right num dim">{formatCount(attempt.number)}</td>
              <td>
                <Time iso={attempt.started_at} as="clock" />
              </td>
              <td className="right num">
                {attempt.ended_at === undefined
                  ? ''
                  : formatDuration(Math.max(0, Date.parse(attempt.ended_at) - Date.parse(attempt.started_at)))}
              </td>
              <td>{outcomeWord(attempt.outcome)}</td>
              <td className="attempt-error">{attempt.error ?? ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
