import type { CheckpointRecord } from '../../../src-shared/model/checkpoint.ts';
import { CheckpointMark } from '../../components/CheckpointMark.tsx';
import { Time } from '../../components/Time.tsx';
import { checkpointFigures } from '../../model/checkpoint-figures.ts';
import { fallbackSentence, rangeWords } from '../../model/checkpoint-words.ts';
import { formatCount, formatDelta } from '../../model/format-number.ts';

/** A checkpoint in the narrow list beside its detail. */
export function CheckpointCard({ checkpoint }: { readonly checkpoint: CheckpointRecord }) {
  const { saved, grew, lost } = checkpointFigures(checkpoint);
  const { fallback } = checkpoint;
  return (
    <div className={`checkpoint-card${checkpoint.state === 'stands' ? '' : ' ended'}`}>
      <div className="card-line">
        <span className="checkpoint-card-name">
          <span className="num dim">{formatCount(checkpoint.archive_index)}</span>
          <CheckpointMark state={checkpoint.state} />
          {checkpoint.level > 0 && <span className="tag">level {formatCount(checkpoint.level)}</span>}
        </span>
        <span className="card-time">
          <Time iso={checkpoint.committed_at} as="clock" />
        </span>
      </div>
      <div className="card-line small">
        <span className="num soft clip">{rangeWords(checkpoint)}</span>
        <span className={`num${grew ? ' danger strong' : ''}`}>{formatDelta(-saved)}</span>
      </div>
      <div className="card-line small">
        {fallback === undefined ? (
          <span className="dim clip">{checkpoint.model ?? checkpoint.summariser}</span>
        ) : (
          <span className="tag warn clip" title={fallbackSentence(fallback)}>
            {checkpoint.summariser} instead of {fallback.from}
          </span>
        )}
        {lost > 0 && <span className="num danger card-lost">{formatCount(lost)} lost</span>}
      </div>
    </div>
  );
}
