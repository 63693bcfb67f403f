import type { CheckpointRecord } from '../../../src-shared/model/checkpoint.ts';
import { CheckpointMark } from '../../components/CheckpointMark.tsx';
import { CopyButton } from '../../components/CopyButton.tsx';
import { Explained } from '../../components/Explained.tsx';
import { Stat } from '../../components/Stat.tsx';
import { Time } from '../../components/Time.tsx';
import { Tokens } from '../../components/Tokens.tsx';
import { checkpointFigures } from '../../model/checkpoint-figures.ts';
import { checkpointName, rangeWords, sourceWords, triggerMeaning } from '../../model/checkpoint-words.ts';
import { formatCount, formatDelta, formatDuration, formatShare } from '../../model/format-number.ts';
import { termMeanings } from '../../model/term-meanings.ts';
import { counterSentence, isEstimate } from '../../model/token-counter-words.ts';

export type CheckpointAction = 'dissolve' | 'restore' | 'rerun';

interface Props {
  readonly uid: string;
  readonly checkpoint: CheckpointRecord;
  readonly onAction: (action: CheckpointAction) => void;
}

export function CheckpointHeader({ checkpoint, onAction }: Props) {
  const figures = checkpointFigures(checkpoint);
  const name = checkpointName(checkpoint);
  const sign = isEstimate(checkpoint.counter) ? '≈ ' : '';
  return (
    <header className="checkpoint-header">
      <div className="detail-title">
        <h2>
          {name.charAt(0).toUpperCase()}
          {name.slice(1)}
        </h2>
        <CheckpointMark state={checkpoint.state} />
        {checkpoint.level > 0 && (
          <Explained text="Made of checkpoints of the level below; those of level 0 are made of turns." className="tag">
            level {formatCount(checkpoint.level)}
          </Explained>
        )}
        <CopyButton text={checkpoint.checkpoint_id} label="Copy id" />
        <Actions state={checkpoint.state} onAction={onAction} />
      </div>
      <dl className="stats">
        <Stat name="Stands for">
          <span className="num">{rangeWords(checkpoint)}</span>
          <span className="dim">, {sourceWords(checkpoint)}</span>
        </Stat>
        <Stat name="Whole context">
          <Explained
            text={`Tokens of all summaries and raw turns before and after this compaction. A call sends what fits its budget of them.\n${counterSentence(checkpoint.counter)}`}
          >
            <span className="num">
              {sign}
              {formatCount(checkpoint.tokens_before)} → {formatCount(checkpoint.tokens_after)}
            </span>
          </Explained>
        </Stat>
        <Stat name={figures.grew ? 'Grew' : 'Saved'}>
          <span className={figures.grew ? 'num danger' : 'num'}>
            {formatDelta(-figures.saved)}
            {figures.ratio !== undefined && <span className="soft"> to {formatShare(figures.ratio)}</span>}
          </span>
        </Stat>
        <Stat name="Source → summary">
          <Tokens
            value={checkpoint.source_tokens}
            counter="tokenizer"
            explain="Tokens of what was summed up, and of the summary, by our tokenizer."
          />
          <span className="num"> → {formatCount(checkpoint.summary_tokens)}</span>
        </Stat>
        <Stat name="Asked by">
          <Explained text={triggerMeaning(checkpoint.trigger)}>{checkpoint.trigger}</Explained>
        </Stat>
        <Stat name="When">
          <Time iso={checkpoint.committed_at} as="both" />
        </Stat>
        <Stat name="Took">
          <span className="num">{formatDuration(checkpoint.duration_ms)}</span>
        </Stat>
        <Stat name="Written by">
          {checkpoint.summariser}
          {checkpoint.model !== undefined && (
            <span className="soft" title={checkpoint.model}>
              {' '}
              · {checkpoint.model}
            </span>
          )}
        </Stat>
        <Stat name="Attempts">
          <span className="num">{formatCount(checkpoint.attempts)}</span>
        </Stat>
        {checkpoint.input_tokens !== undefined && (
          <Stat name="Model tokens">
            <Explained text="What the model counted over all attempts: read, and written.">
              <span className="num">
                {formatCount(checkpoint.input_tokens)} in · {formatCount(checkpoint.output_tokens ?? 0)} out
              </span>
            </Explained>
          </Stat>
        )}
        <Stat name="Identifier policy">{checkpoint.identifier_policy}</Stat>
        {checkpoint.prompt_version !== undefined && <Stat name="Prompt">{checkpoint.prompt_version}</Stat>}
        {checkpoint.epoch > 0 && (
          <Stat name="Epoch" title={termMeanings.epoch}>
            <span className="num">{formatCount(checkpoint.epoch)}</span>
          </Stat>
        )}
      </dl>
    </header>
  );
}

function Actions({ state, onAction }: { state: CheckpointRecord['state']; onAction: Props['onAction'] }) {
  return (
    <div className="checkpoint-actions">
      {state === 'stands' && (
        <>
          <button type="button" className="button small" onClick={() => onAction('rerun')}>
            Run again…
          </button>
          <button type="button" className="button small" onClick={() => onAction('dissolve')}>
            Dissolve…
          </button>
        </>
      )}
      {(state === 'dissolved' || state === 'replaced') && (
        <button type="button" className="button small" onClick={() => onAction('restore')}>
          Restore…
        </button>
      )}
    </div>
  );
}
