import type { ClientError } from '../client/client-error.ts';
import { toJson } from '../model/message-text.ts';
import './states.css';

interface Props {
  /** What could not be done, such as “The calls could not be read”. */
  readonly title: string;
  readonly error: ClientError;
  readonly onRetry?: () => void;
}

/** Codes that mean that something is, or may be, lost; only these are red. */
const dangers: ReadonlySet<string> = new Set(['store_failed', 'store_corrupt', 'disk_full', 'store_from_future']);

function isDanger(error: ClientError): boolean {
  return dangers.has(error.code);
}

/** What happened, why, what to do, and the details folded away. */
export function ErrorState({ title, error, onRetry }: Props) {
  return (
    <div className="state" role="alert">
      <h2 className={`state-title${isDanger(error) ? ' danger' : ''}`}>{title}</h2>
      <div className="state-body">
        <p>{error.message}</p>
        <p>{error.remedy}</p>
        {onRetry !== undefined && (
          <button type="button" className="button" onClick={onRetry}>
            Try again
          </button>
        )}
        <details className="state-details">
          <summary>Details</summary>
          <pre>
            {error.code}
            {error.details !== undefined && `\n${toJson(error.details)}`}
          </pre>
        </details>
      </div>
    </div>
  );
}
