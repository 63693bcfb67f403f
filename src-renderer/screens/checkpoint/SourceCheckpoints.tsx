import type { CheckpointRecord } from '../../../src-shared/model/checkpoint.ts';
import { CheckpointMark } from '../../components/CheckpointMark.tsx';
import { PlaceLink } from '../../components/PlaceLink.tsx';
import { Time } from '../../components/Time.tsx';
import { checkpointName, rangeWords, sourceWords } from '../../model/checkpoint-words.ts';
import { formatCount, formatNoun } from '../../model/format-number.ts';

interface Props {
  readonly uid: string;
  readonly parents: readonly CheckpointRecord[];
  /** How many are named and were not found. */
  readonly missing: number;
}

/** The checkpoints that one of a higher level was made of, oldest first; each leads further down, at last to turns. */
export function SourceCheckpoints({ uid, parents, missing }: Props) {
  return (
    <div className="source-checkpoints" tabIndex={-1}>
      <p className="note">
        This summary was made of the summaries below, oldest first. Each leads to what it was made of; turns that a
        summary does not speak of are listed there.
      </p>
      <ol>
        {parents.map((parent) => (
          <li key={parent.checkpoint_id} className="source-checkpoint">
            <div className="card-line">
              <PlaceLink place={{ at: 'checkpoint', uid, checkpointId: parent.checkpoint_id }}>
                {checkpointName(parent)}
              </PlaceLink>
              <span className="num soft">{rangeWords(parent)}</span>
              <CheckpointMark state={parent.state} />
              <span className="card-time">
                <Time iso={parent.committed_at} as="clock" />
              </span>
            </div>
            <p className="source-abstract" dir="auto">
              {parent.abstract === '' ? <span className="dim">no abstract</span> : parent.abstract}
            </p>
            <p className="dim num">
              of {sourceWords(parent)} · {formatCount(parent.source_tokens)} →{' '}
              {formatNoun(parent.summary_tokens, 'token')}
              {parent.uncovered_sequences.length > 0 &&
                ` · ${formatNoun(parent.uncovered_sequences.length, 'turn')} uncovered`}
              {parent.identifiers_lost.length > 0 && (
                <strong className="danger"> · {formatCount(parent.identifiers_lost.length)} lost</strong>
              )}
            </p>
          </li>
        ))}
      </ol>
      {missing > 0 && (
        <p className="soft">{formatNoun(missing, 'checkpoint')} that it names could not be found in the store.</p>
      )}
    </div>
  );
}
