import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { Time } from '../../components/Time.tsx';
import { checkpointFigures } from '../../model/checkpoint-figures.ts';
import { formatCount, formatDelta, formatNoun, formatShare } from '../../model/format-number.ts';
import { isEstimate } from '../../model/token-counter-words.ts';
import { CheckpointDetail } from './CheckpointDetail.tsx';

const columns = [
  { name: '#', title: 'Place among the session’s checkpoints', right: true },
  { name: 'When', title: '' },
  { name: 'Trigger', title: 'What asked for it' },
  { name: 'Turns', title: 'Range of the log that the summary stands for' },
  { name: 'Before', title: 'Tokens of the whole context before', right: true },
  { name: 'After', title: 'Tokens of the whole context after', right: true },
  { name: 'Change', title: 'Tokens freed (−) or added (+)', right: true },
  { name: 'Ratio', title: 'After ÷ before', right: true },
  { name: 'Identifiers', title: 'Paths, names, hashes, ports, URLs: kept and lost', right: true },
  { name: 'Summariser', title: 'Who wrote the summary' },
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
  readonly checkpoint: CompactCheckpoint;
  readonly open: boolean;
}

export function CheckpointRow({ checkpoint, open }: Props) {
  const { source_turn_range: range } = checkpoint;
  const figures = checkpointFigures(checkpoint);
  const sign = isEstimate(checkpoint.counter) ? '≈ ' : '';
  return (
    <>
      <div className="checkpoint-line">
        <span className="num dim right">{formatCount(checkpoint.archive_index)}</span>
        <span>
          <Time iso={checkpoint.committed_at} as="clock" />
        </span>
        <span className="clip">{checkpoint.trigger.replace('_', ' ')}</span>
        <span className="num clip" title={formatNoun(figures.turns, 'turn')}>
          {formatCount(range.start_sequence)}–{formatCount(range.end_sequence)}
        </span>
        <span className="num right soft">
          {sign}
          {formatCount(checkpoint.tokens_before)}
        </span>
        <span className="num right">
          {sign}
          {formatCount(checkpoint.tokens_after)}
        </span>
        <span className={`num right${figures.grew ? ' danger strong' : ''}`}>{formatDelta(-figures.saved)}</span>
        <span className={`num right${figures.grew ? ' danger' : ''}`}>
          {figures.ratio === undefined ? '—' : formatShare(figures.ratio)}
        </span>
        <span className="num right">
          {formatCount(checkpoint.identifiers_kept.length)} kept
          {figures.lost > 0 && <strong className="danger"> {formatCount(figures.lost)} lost</strong>}
        </span>
        <span className="clip soft" title={checkpoint.model}>
          {checkpoint.summariser}
        </span>
      </div>
      {open && <CheckpointDetail checkpoint={checkpoint} />}
    </>
  );
}
