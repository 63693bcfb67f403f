import type { CheckpointRecord } from '../../../src-shared/model/checkpoint.ts';
import { CheckpointMark } from '../../components/CheckpointMark.tsx';
import { Time } from '../../components/Time.tsx';
import { checkpointFigures } from '../../model/checkpoint-figures.ts';
import { checkpointName, fallbackSentence, sourceWords, triggerMeaning } from '../../model/checkpoint-words.ts';
import { formatCount, formatDelta, formatDuration, formatNoun, formatShare } from '../../model/format-number.ts';
import { isEstimate } from '../../model/token-counter-words.ts';

const columns = [
  { name: '#', title: 'Place among the session’s checkpoints', right: true },
  { name: 'State', title: 'What became of it' },
  { name: 'Turns', title: 'Range of the log that the summary stands for, and what it was made of' },
  { name: 'Written by', title: 'Who wrote the summary' },
  { name: 'Asked by', title: 'What asked for it, and when' },
  {
    name: 'Context',
    title: 'Tokens of the whole context (all summaries and raw turns) before and after, and the difference',
    right: true,
  },
  { name: 'Identifiers', title: 'Paths, names, hashes, ports, URLs: kept and lost', right: true },
  { name: 'Took', title: 'Time that it took, and its level where it was made of other checkpoints', right: true },
] as const;

export function CheckpointRowHead() {
  return (
    <div className="checkpoint-line head" aria-hidden="true">
      {columns.map((column) => (
        <span key={column.name} className={'right' in column ? 'right' : ''} title={column.title}>
          {column.name}
        </span>
      ))}
    </div>
  );
}

interface Props {
  readonly checkpoint: CheckpointRecord;
  /** Checkpoint that stands for it now, when it is known. */
  readonly successor: CheckpointRecord | undefined;
}

/** A compaction in two lines: what it is, and under it the small print. */
export function CheckpointRow({ checkpoint, successor }: Props) {
  const { source_turn_range: range, state } = checkpoint;
  return (
    <div className={`checkpoint-line${state === 'stands' ? '' : ' ended'}`}>
      <span className="num dim right">{formatCount(checkpoint.archive_index)}</span>
      <span className="two-lines">
        <CheckpointMark state={state} />
        <span className="sub clip">{becameWords(checkpoint, successor)}</span>
      </span>
      <span className="two-lines">
        <span className="num clip">
          {formatCount(range.start_sequence)}–{formatCount(range.end_sequence)}
        </span>
        <span className="sub clip">{sourceWords(checkpoint)}</span>
      </span>
      <Writer checkpoint={checkpoint} />
      <span className="two-lines">
        <span className="clip" title={triggerMeaning(checkpoint.trigger)}>
          {checkpoint.trigger}
        </span>
        <span className="sub clip">
          <Time iso={checkpoint.committed_at} as="clock" />
        </span>
      </span>
      <Context checkpoint={checkpoint} />
      <Identifiers checkpoint={checkpoint} />
      <span className="two-lines right">
        <span className="num">{formatDuration(checkpoint.duration_ms)}</span>
        <span className="sub num">{checkpoint.level > 0 && `level ${formatCount(checkpoint.level)}`}</span>
      </span>
    </div>
  );
}

/** `into checkpoint 9`, `by checkpoint 9`. */
function becameWords({ state, ended_by: by }: CheckpointRecord, successor: CheckpointRecord | undefined): string {
  if (by === undefined) return '';
  const name = successor === undefined ? 'another' : checkpointName(successor);
  return state === 'folded' ? `into ${name}` : `by ${name}`;
}

/** Who wrote it; loud when it was somebody else than the configured one. */
export function Writer({ checkpoint }: { readonly checkpoint: CheckpointRecord }) {
  const { summariser, model, fallback } = checkpoint;
  return (
    <span className="two-lines">
      <span className="clip">{summariser}</span>
      {fallback === undefined ? (
        <span className="sub clip" title={model}>
          {model ?? ''}
        </span>
      ) : (
        <span className="sub">
          <span className="tag warn clip" title={fallbackSentence(fallback)}>
            instead of {fallback.from}
          </span>
        </span>
      )}
    </span>
  );
}

function Context({ checkpoint }: { readonly checkpoint: CheckpointRecord }) {
  const figures = checkpointFigures(checkpoint);
  const sign = isEstimate(checkpoint.counter) ? '≈ ' : '';
  return (
    <span className="two-lines right">
      <span className="num">
        <span className="soft">
          {sign}
          {formatCount(checkpoint.tokens_before)} →
        </span>{' '}
        {formatCount(checkpoint.tokens_after)}
      </span>
      <span className={`sub num${figures.grew ? ' danger strong' : ''}`}>
        {formatDelta(-figures.saved)}
        {figures.ratio !== undefined && ` · ${formatShare(figures.ratio)}`}
      </span>
    </span>
  );
}

function Identifiers({ checkpoint }: { readonly checkpoint: CheckpointRecord }) {
  const { identifiers_lost: lost, identifiers_kept: kept, uncovered_sequences: uncovered } = checkpoint;
  return (
    <span className="two-lines right">
      <span className="num">
        {formatCount(kept.length)} kept
        {lost.length > 0 && <strong className="danger"> {formatCount(lost.length)} lost</strong>}
      </span>
      <span className="sub num clip" title="Turns that nothing in the summary speaks of">
        {uncovered.length > 0 && `${formatNoun(uncovered.length, 'turn')} uncovered`}
      </span>
    </span>
  );
}
