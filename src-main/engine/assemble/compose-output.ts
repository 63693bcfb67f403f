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
  /** JSON text; undefined for the host's own messages where they are only pointed at. */
  readonly body: string | undefined;
  readonly contentHash: string;
  /** Tokens where they differ from the candidate's: trimmed messages. */
  readonly tokens: number | undefined;
  /** Only this call knows the body; what is in the log already is not stored again. */
  readonly isNew: boolean;
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
  if (input.additionMessage) output.push(ours('system-addition', JSON.stringify(input.additionMessage)));
  for (const entry of input.gathered.hostSummaries) await add(entry.candidate);
  const summaries = chosenSummaries(input.gathered, chosen);
  if (summaries.length > 0) output.push(ours('summaries', JSON.stringify(summaryMessage(summaries, input.format))));
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
  return [...live, ...output.flatMap(newContent)];
}

function newContent({ isNew, body, contentHash, tokens }: OutputMessage): NewContent[] {
  if (!isNew || body === undefined) return [];
  const messageKey = sha256(messageKeyText(JSON.parse(body) as HostMessage));
  return [{ contentHash, messageKey, tokens: tokens ?? 0, body }];
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
  if (choice.action === 'trimmed') {
    const message = entry?.message ?? (JSON.parse(stored ?? '{}') as HostMessage);
    return trimmed(candidate, choice, message, input, counter);
  }
  const known = { item: candidate.item, contentHash: candidate.contentHash ?? '', tokens: undefined, isNew: false };
  if (candidate.hostIndex !== undefined) {
    const body = input.withHostBodies && entry?.message ? JSON.stringify(entry.message) : stored;
    return { ...known, host: candidate.hostIndex, body };
  }
  const written = inHostFormat(stored ?? '{}', candidate, input);
  return written === stored ? { ...known, host: undefined, body: stored } : ours(candidate.item, written);
}

/** A stored message that the host does not hold, as the host would have written it. */
function inHostFormat(body: string, candidate: Candidate, input: ComposeInput): string {
  const format = input.gathered.formats.get(candidate.item) ?? input.format;
  if (format !== input.format) {
    return JSON.stringify(writeMessage(readMessage(JSON.parse(body) as HostMessage, format, 0), input.format));
  }
  // Most bodies have no reasoning in them and need not be parsed to know that.
  if (format === 'openai' || !body.includes('"thinking"')) return body;
  const message = JSON.parse(body) as HostMessage;
  const stripped = stripForeignThinking(message, input.model);
  return stripped === message ? body : JSON.stringify(stripped);
}

/** Cuts until the count is within the limit; what has no text to cut (images, arguments) is left as small as it gets. */
async function trimmed(
  candidate: Candidate,
  choice: Choice,
  message: HostMessage,
  input: ComposeInput,
  counter: TokenCounter,
): Promise<OutputMessage> {
  let share = Math.min(1, (0.95 * choice.tokensAfter) / Math.max(1, candidate.tokens));
  let copy = message;
  let tokens = candidate.tokens;
  for (let attempt = 0; attempt < 4 && tokens > choice.tokensAfter; attempt += 1) {
    copy = trimMessage(message, share, candidate.uri);
    tokens = (await counter.messages([readMessage(copy, input.format, 0)], input.format))[0] ?? 0;
    share *= 0.8;
  }
  return { ...ours(candidate.item, JSON.stringify(copy)), tokens };
}

function ours(item: string, body: string): OutputMessage {
  return { item, host: undefined, body, contentHash: sha256(body), tokens: undefined, isNew: true };
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
