import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { CopyButton } from '../../components/CopyButton.tsx';
import { Facts, type Fact } from '../../components/Facts.tsx';
import { MessageView } from '../../components/MessageView.tsx';
import { checkpointFigures } from '../../model/checkpoint-figures.ts';
import { formatCount, formatDuration, formatNoun } from '../../model/format-number.ts';
import { formatExactTime } from '../../model/format-time.ts';
import { counterSentence } from '../../model/token-counter-words.ts';

/** A compaction in full: what was kept, what was lost, and the texts that stand for the turns now. */
export function CheckpointDetail({ checkpoint }: { readonly checkpoint: CompactCheckpoint }) {
  const { grew } = checkpointFigures(checkpoint);
  return (
    // What is clicked in here does not close the row.
    <div className="checkpoint-detail" onClick={(event) => event.stopPropagation()}>
      <div>
        <Facts facts={facts(checkpoint)} />
        <p className="note">{counterSentence(checkpoint.counter)}</p>
      </div>
      <div className="checkpoint-texts">
        {grew && <p className="danger">This compaction freed nothing: the context is as large as before, or larger.</p>}
        {checkpoint.identifiers_lost.length > 0 && (
          <Identifiers title="Lost" tone="danger" names={checkpoint.identifiers_lost} />
        )}
        <h3>Abstract</h3>
        <MessageView message={checkpoint.abstract} name="abstract" />
        <h3>Overview</h3>
        <MessageView message={checkpoint.overview} name="overview" />
        {checkpoint.identifiers_kept.length > 0 && (
          <Identifiers title="Kept word for word" tone="" names={checkpoint.identifiers_kept} />
        )}
      </div>
    </div>
  );
}

const shownNames = 60;

function Identifiers({ title, tone, names }: { title: string; tone: string; names: readonly string[] }) {
  return (
    <section>
      <h3 className={tone}>
        {title} <span className="num dim">{formatNoun(names.length, 'identifier')}</span>
      </h3>
      <ul className="identifiers">
        {names.slice(0, shownNames).map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
        {names.length > shownNames && <li className="dim">and {formatCount(names.length - shownNames)} more</li>}
      </ul>
    </section>
  );
}

function facts(checkpoint: CompactCheckpoint): Fact[] {
  const number = (value: number) => <span className="num">{formatCount(value)}</span>;
  const shown: Fact[] = [
    { name: 'Committed', value: <span className="num">{formatExactTime(checkpoint.committed_at)}</span> },
    { name: 'Took', value: <span className="num">{formatDuration(checkpoint.duration_ms)}</span> },
    { name: 'Source tokens', value: number(checkpoint.source_tokens) },
    { name: 'Summary tokens', value: number(checkpoint.summary_tokens) },
    { name: 'Identifier policy', value: checkpoint.identifier_policy },
    { name: 'Epoch', value: number(checkpoint.epoch) },
    { name: 'Checkpoint', value: <code className="uri">{checkpoint.checkpoint_id}</code> },
  ];
  if (checkpoint.model !== undefined) shown.push({ name: 'Model', value: checkpoint.model });
  if (checkpoint.prompt_version !== undefined) shown.push({ name: 'Prompt', value: checkpoint.prompt_version });
  if (checkpoint.summary_uri !== undefined) {
    shown.push({ name: 'URI', value: <CopyButton text={checkpoint.summary_uri} label="Copy URI" /> });
  }
  if (checkpoint.parent_checkpoint_ids.length > 0) {
    shown.push({ name: 'Built on', value: <code className="uri">{checkpoint.parent_checkpoint_ids.join(' ')}</code> });
  }
  return shown;
}
