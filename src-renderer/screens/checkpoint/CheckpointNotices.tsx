import type { CheckpointRecord } from '../../../src-shared/model/checkpoint.ts';
import { CheckpointLink } from '../../components/CheckpointLink.tsx';
import { Time } from '../../components/Time.tsx';
import { checkpointFigures } from '../../model/checkpoint-figures.ts';
import { checkpointStateMeaning, checkpointStateWord, fallbackSentence } from '../../model/checkpoint-words.ts';

interface Props {
  readonly uid: string;
  readonly checkpoint: CheckpointRecord;
}

/** What a person should know before reading the summary; nothing when all is as it should be. */
export function CheckpointNotices({ uid, checkpoint }: Props) {
  const { state, ended_at: endedAt, ended_by: endedBy, fallback, focus } = checkpoint;
  const { grew } = checkpointFigures(checkpoint);
  if (state === 'stands' && fallback === undefined && focus === undefined && !grew) return null;
  return (
    <div className="checkpoint-notices">
      {grew && (
        <p className="notice danger">
          This compaction freed nothing: the context was as large after it as before, or larger.
        </p>
      )}
      {fallback !== undefined && (
        <p className="notice warn" title={fallback.reason}>
          {fallbackSentence(fallback)}. “{checkpoint.summariser}” wrote it instead.
        </p>
      )}
      {state !== 'stands' && (
        <p className="notice">
          {checkpointStateWord(state)}
          {endedBy !== undefined && (
            <>
              {state === 'folded' ? ' into ' : ' by '}
              <CheckpointLink uid={uid} checkpointId={endedBy} />
            </>
          )}
          {endedAt !== undefined && (
            <>
              {', '}
              <Time iso={endedAt} />
            </>
          )}
          . {checkpointStateMeaning(state)}. Nothing was deleted.
        </p>
      )}
      {focus !== undefined && (
        <p className="notice clip" title={focus}>
          <span className="dim">Asked to look out for:</span> {focus}
        </p>
      )}
    </div>
  );
}
