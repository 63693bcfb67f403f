import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import type { MessageFormat } from '../../../src-shared/protocol/host-message.ts';
import { ours, type OutputMessage } from './output-message.ts';
import { summaryMessage } from './summary-message.ts';

export interface ChosenSummary {
  readonly checkpoint: CompactCheckpoint;
  readonly uri: string;
  /** The overview, or the abstract where that is what is sent. */
  readonly text: string;
}

interface Written {
  readonly summaries: readonly ChosenSummary[];
  readonly format: MessageFormat;
  readonly output: OutputMessage;
}

/** The message that was last written of each newest checkpoint: until the next compaction it is the same. */
const written = new WeakMap<CompactCheckpoint, Written>();

/** The one message of the summaries that are sent, oldest first; none where there are none. */
export function summariesOutput(summaries: readonly ChosenSummary[], format: MessageFormat): readonly OutputMessage[] {
  const newest = summaries.at(-1)?.checkpoint;
  if (!newest) return [];
  const before = written.get(newest);
  if (before?.format === format && areSame(before.summaries, summaries)) return [before.output];
  const output = ours('summaries', JSON.stringify(summaryMessage(summaries.map(asText), format)));
  written.set(newest, { summaries, format, output });
  return [output];
}

/** Checkpoints are never rewritten: the same object says the same. */
function areSame(before: readonly ChosenSummary[], now: readonly ChosenSummary[]): boolean {
  if (before.length !== now.length) return false;
  return before.every((one, index) => {
    const other = now[index];
    return one.checkpoint === other?.checkpoint && one.uri === other.uri && one.text === other.text;
  });
}

function asText({ checkpoint, uri, text }: ChosenSummary) {
  return { uri, text, committedAt: Date.parse(checkpoint.committed_at), sourceTokens: checkpoint.source_tokens };
}
