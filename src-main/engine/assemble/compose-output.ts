import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import type { TraceOutputEntry } from '../../../src-shared/model/trace.ts';
import { messageKeyText, type HostMessage, type MessageFormat } from '../../../src-shared/protocol/host-message.ts';
import { sha256 } from '../hash.ts';
import { readMessage } from '../messages/read-message.ts';
import { stripForeignThinking } from '../messages/strip-foreign-thinking.ts';
import { trimMessage } from '../messages/trim-message.ts';
import { writeMessage } from '../messages/write-message.ts';
import type { NewContent, SessionStore } from '../ports/session-store.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import type { Choice, Selection } from './assemble-input.ts';
import type { Candidate } from './candidate.ts';
import type { Gathered } from './gather-candidates.ts';
import type { HostEntry } from './host-messages.ts';
import { summaryMessage } from './summary-message.ts';

/** One message of the answer: the host's own, by index, or one of ours. */
export interface OutputMessage {
  readonly item: string;
  readonly host: number | undefined;
  readonly message: HostMessage;
  readonly contentHash: string;
  /** Tokens where they differ from the candidate's: trimmed messages. */
  readonly tokens: number | undefined;
}

export interface ComposeInput {
  readonly selection: Selection;
  readonly gathered: Gathered;
  readonly host: readonly HostEntry[];
  readonly additionMessage: HostMessage | undefined;
  readonly format: MessageFormat;
  readonly model: string | undefined;
  /** Bodies are needed for every message; a plan needs them only for those that are not the host's. */
  readonly withHostBodies: boolean;
}

/** Puts what was chosen in order and fetches the bodies: system, host's summaries, our summaries, the conversation. */
export async function composeOutput(
  input: ComposeInput,
  store: SessionStore,
  counter: TokenCounter,
): Promise<readonly OutputMessage[]> {
  const chosen = new Map(
    input.selection.choices
      .filter((choice) => choice.action !== 'dropped')
      .map((choice) => [choice.candidate.item, choice]),
  );
  const bodies = await readNeededBodies(input, chosen, store);
  const output: OutputMessage[] = [];
  const entries = new Map(input.host.map((entry) => [entry.candidate.item, entry]));
  const add = async (candidate: Candidate): Promise<void> => {
    const choice = chosen.get(candidate.item);
    if (choice) output.push(await composeOne(candidate, choice, entries.get(candidate.item), bodies, input, counter));
  };
  for (const entry of input.gathered.system) await add(entry.candidate);
  if (input.additionMessage) output.push(ours('system-addition', input.additionMessage));
  for (const entry of input.gathered.hostSummaries) await add(entry.candidate);
  const summaries = chosenSummaries(input.gathered, chosen);
  if (summaries.length > 0) output.push(ours('summaries', summaryMessage(summaries, input.format)));
  for (const candidate of input.gathered.raw) await add(candidate);
  return keepPairsTogether(output, input.gathered.raw);
}

export function outputEntries(output: readonly OutputMessage[]): TraceOutputEntry[] {
  return output.map((entry) =>
    entry.host === undefined ? { inline: entry.contentHash, item: entry.item } : { host: entry.host, item: entry.item },
  );
}

/** Bodies that only this call knows of: summaries, trimmed copies, live messages of the host. */
export function callContents(output: readonly OutputMessage[], host: readonly HostEntry[]): NewContent[] {
  const live = host.flatMap(({ candidate, liveBody }) =>
    liveBody === undefined || candidate.contentHash === undefined
      ? []
      : [{ contentHash: candidate.contentHash, messageKey: candidate.key, tokens: candidate.tokens, body: liveBody }],
  );
  const inline = output.flatMap((entry) =>
    entry.host === undefined
      ? [
          {
            contentHash: entry.contentHash,
            messageKey: sha256(messageKeyText(entry.message)),
            tokens: entry.tokens ?? 0,
            body: JSON.stringify(entry.message),
          },
        ]
      : [],
  );
  return [...live, ...inline];
}

async function readNeededBodies(input: ComposeInput, chosen: ReadonlyMap<string, Choice>, store: SessionStore) {
  const hashes = input.gathered.raw.flatMap((candidate) => {
    const choice = chosen.get(candidate.item);
    if (!choice || candidate.contentHash === undefined) return [];
    const hostOwn = candidate.hostIndex !== undefined && choice.action === 'included';
    return hostOwn && !input.withHostBodies ? [] : [candidate.contentHash];
  });
  return store.readBodies(hashes);
}

async function composeOne(
  candidate: Candidate,
  choice: Choice,
  entry: HostEntry | undefined,
  bodies: ReadonlyMap<string, string>,
  input: ComposeInput,
  counter: TokenCounter,
): Promise<OutputMessage> {
  const stored = bodies.get(candidate.contentHash ?? '');
  const message = entry?.message ?? (stored === undefined ? {} : (JSON.parse(stored) as HostMessage));
  if (choice.action === 'trimmed') return trimmed(candidate, choice, message, input, counter);
  if (candidate.hostIndex !== undefined) {
    return {
      item: candidate.item,
      host: candidate.hostIndex,
      message,
      contentHash: candidate.contentHash ?? '',
      tokens: undefined,
    };
  }
  return ours(candidate.item, inHostFormat(message, candidate, input));
}

/** A stored message that the host does not hold, as the host would have written it. */
function inHostFormat(message: HostMessage, candidate: Candidate, input: ComposeInput): HostMessage {
  const format = input.gathered.formats.get(candidate.item) ?? input.format;
  if (format === input.format) return format === 'openclaw' ? stripForeignThinking(message, input.model) : message;
  return writeMessage(readMessage(message, format, 0), input.format);
}

/** Cuts until the count is within the limit; what has no text to cut (images, arguments) is left as small as it gets. */
async function trimmed(
  candidate: Candidate,
  choice: Choice,
  message: HostMessage,
  input: ComposeInput,
  counter: TokenCounter,
) {
  let share = Math.min(1, (0.95 * choice.tokensAfter) / Math.max(1, candidate.tokens));
  let copy = message;
  let tokens = candidate.tokens;
  for (let attempt = 0; attempt < 4 && tokens > choice.tokensAfter; attempt += 1) {
    copy = trimMessage(message, share, candidate.uri);
    tokens = (await counter.messages([readMessage(copy, input.format, 0)], input.format))[0] ?? 0;
    share *= 0.8;
  }
  return { ...ours(candidate.item, copy), tokens };
}

function ours(item: string, message: HostMessage): OutputMessage {
  return { item, host: undefined, message, contentHash: sha256(JSON.stringify(message)), tokens: undefined };
}

/** Oldest first, as they were lived. */
function chosenSummaries(gathered: Gathered, chosen: ReadonlyMap<string, Choice>) {
  return gathered.checkpoints
    .flatMap((checkpoint: CompactCheckpoint, index) => {
      const candidate = gathered.summaries[index];
      const choice = candidate && chosen.get(candidate.item);
      if (!candidate || !choice) return [];
      return [
        {
          uri: candidate.uri ?? '',
          text: index === 0 && choice.action === 'included' ? checkpoint.overview : checkpoint.abstract,
          committedAt: Date.parse(checkpoint.committed_at),
          sourceTokens: checkpoint.source_tokens,
        },
      ];
    })
    .reverse();
}

/** Results follow their calls directly, also where the log has something between them (steering messages). */
function keepPairsTogether(output: readonly OutputMessage[], raw: readonly Candidate[]): readonly OutputMessage[] {
  const byItem = new Map(raw.map((candidate) => [candidate.item, candidate]));
  // Providers do use an id again in a later turn: results are taken in their order.
  const results = new Map<string, OutputMessage[]>();
  for (const entry of output) {
    const answers = byItem.get(entry.item)?.toolResultFor;
    if (answers !== undefined) results.set(answers, [...(results.get(answers) ?? []), entry]);
  }
  const placed = new Set<OutputMessage>();
  const ordered: OutputMessage[] = [];
  for (const entry of output) {
    if (placed.has(entry)) continue;
    ordered.push(entry);
    placed.add(entry);
    for (const id of byItem.get(entry.item)?.toolCallIds ?? []) {
      const result = results.get(id)?.shift();
      if (!result || placed.has(result)) continue;
      ordered.push(result);
      placed.add(result);
    }
  }
  return ordered;
}
