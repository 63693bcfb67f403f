import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { TraceOutputEntry } from '../../../src-shared/model/trace.ts';
import type { HostMessage, MessageFormat } from '../../../src-shared/protocol/host-message.ts';
import { readMessage } from '../messages/read-message.ts';
import { stripForeignThinking } from '../messages/strip-foreign-thinking.ts';
import { writeMessage } from '../messages/write-message.ts';
import type { NewContent, SessionStore } from '../ports/session-store.ts';
import type { BodyCache } from '../turns/body-cache.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import type { Choice, Selection } from './assemble-input.ts';
import type { Candidate } from './candidate.ts';
import type { Gathered } from './gather-candidates.ts';
import type { HostEntry } from './host-messages.ts';
import { newContent, ours, type OutputMessage } from './output-message.ts';
import { recallIndex, recallOutput, type RecallOutput } from './recall/recall-output.ts';
import { summariesOutput, type ChosenSummary } from './summaries-output.ts';
import { trimOutputs, type ToTrim, type Trimmed } from './trim-outputs.ts';

/** Bodies that were sent lately, and what is known of them. */
export type SentBodies = Pick<BodyCache, 'readBodies' | 'mayThink'>;

export interface ComposeInput {
  readonly selection: Selection;
  readonly gathered: Gathered;
  readonly host: readonly HostEntry[];
  readonly additionMessage: HostMessage | undefined;
  readonly format: MessageFormat;
  readonly model: string | undefined;
  /** Bodies are needed for every message; a plan needs them only for those that are not the host's. */
  readonly withHostBodies: boolean;
  readonly recall: RecallOutput | undefined;
}

/**
 * Puts what was chosen in order and fetches the bodies: system, the host's summaries, ours, then the conversation, in
 * which results follow their calls directly, also where something was said between them.
 * @throws EngineError `store_corrupt` when the body of a chosen turn is not in the store.
 */
export async function composeOutput(
  input: ComposeInput,
  store: SentBodies,
  counter: TokenCounter,
): Promise<readonly OutputMessage[]> {
  const chosen = new Map(
    input.selection.choices
      .filter((choice) => choice.action !== 'dropped')
      .map((choice) => [choice.candidate.item, choice]),
  );
  const composer = new Composer(input, chosen, await readNeededBodies(input, chosen, store), store);
  const trimmed = await trimOutputs(composer.toTrim(), input.format, counter);
  const output: OutputMessage[] = [];
  const add = (candidate: Candidate): void => {
    if (chosen.has(candidate.item)) output.push(composer.compose(candidate, trimmed.get(candidate.item)));
  };
  for (const entry of input.gathered.system) add(entry.candidate);
  if (input.additionMessage) output.push(ours(systemItem, JSON.stringify(input.additionMessage)));
  for (const entry of input.gathered.hostSummaries) add(entry.candidate);
  output.push(...summariesOutput(chosenSummaries(input.gathered, chosen), input.format));
  addConversation(input, chosen, output, add);
  return output;
}

/** The units in their order, and what was recalled before the user's newest message. */
function addConversation(
  { gathered: { units }, recall, format }: ComposeInput,
  chosen: ReadonlyMap<string, Choice>,
  output: OutputMessage[],
  add: (candidate: Candidate) => void,
): void {
  const at = recall ? recallIndex(units, recall.place) : -1;
  let isAfterAssistant = !output.some(({ item }) => !isSystem(item, chosen));
  const addRecalled = (index: number): void => {
    if (recall && index === at) output.push(...recallOutput(recall, chosen, format, isAfterAssistant));
  };
  units.forEach((unit, index) => {
    addRecalled(index);
    for (const member of unit.members) {
      add(member);
      if (chosen.has(member.item)) isAfterAssistant = member.role === 'assistant';
    }
  });
  addRecalled(units.length);
}

function isSystem(item: string, chosen: ReadonlyMap<string, Choice>): boolean {
  return item === systemItem || chosen.get(item)?.candidate.kind === 'system';
}

/** The message of our addition, where it is one of the list. */
const systemItem = 'system-addition';

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

async function readNeededBodies(
  input: ComposeInput,
  chosen: ReadonlyMap<string, Choice>,
  store: Pick<SessionStore, 'readBodies'>,
) {
  const hashes: string[] = [];
  const passed = new Set(input.host.flatMap(({ candidate, message }) => (message ? [candidate.item] : [])));
  const want = (candidate: Candidate): void => {
    const choice = chosen.get(candidate.item);
    if (!choice || candidate.contentHash === undefined || passed.has(candidate.item) || candidate.standIn) return;
    const isPointedAt = candidate.hostIndex !== undefined && choice.action === 'included';
    if (!isPointedAt || input.withHostBodies) hashes.push(candidate.contentHash);
  };
  for (const unit of input.gathered.units) unit.members.forEach(want);
  for (const entry of [...input.gathered.system, ...input.gathered.hostSummaries]) want(entry.candidate);
  return store.readBodies(hashes);
}

/** Ours, which have no other form than the one that was offered. */
const wholeKinds: ReadonlySet<Candidate['kind']> = new Set(['summary', 'recalled_memory', 'profile', 'memory_index']);

class Composer {
  readonly #input: ComposeInput;
  readonly #chosen: ReadonlyMap<string, Choice>;
  readonly #bodies: ReadonlyMap<string, string>;
  readonly #entries: ReadonlyMap<string, HostEntry>;

  readonly #sent: SentBodies;

  constructor(
    input: ComposeInput,
    chosen: ReadonlyMap<string, Choice>,
    bodies: ReadonlyMap<string, string>,
    sent: SentBodies,
  ) {
    this.#input = input;
    this.#sent = sent;
    this.#chosen = chosen;
    this.#bodies = bodies;
    this.#entries = new Map(input.host.map((entry) => [entry.candidate.item, entry]));
  }

  toTrim(): ToTrim[] {
    return [...this.#chosen.values()].flatMap((choice): ToTrim[] => {
      const { candidate, action } = choice;
      if (action !== 'trimmed' || wholeKinds.has(candidate.kind)) return [];
      const body = candidate.standIn?.body ?? this.#inHostFormat(this.#body(candidate), candidate);
      const message = JSON.parse(body) as HostMessage;
      return [{ choice, message }];
    });
  }

  compose(candidate: Candidate, trimmed: Trimmed | undefined): OutputMessage {
    if (trimmed?.message) {
      const copy = ours(candidate.item, JSON.stringify(trimmed.message));
      return { ...copy, replaces: candidate.hostIndex, tokens: trimmed.tokens };
    }
    if (candidate.standIn) {
      const { body, contentHash } = candidate.standIn;
      return {
        ...{ item: candidate.item, host: undefined, replaces: candidate.hostIndex, body, contentHash, isNew: true },
        tokens: trimmed?.tokens,
      };
    }
    const known = {
      item: candidate.item,
      contentHash: candidate.contentHash ?? '',
      tokens: trimmed?.tokens,
      isNew: false,
    };
    if (candidate.hostIndex !== undefined) {
      const body = this.#input.withHostBodies ? this.#body(candidate) : undefined;
      return { ...known, host: candidate.hostIndex, body };
    }
    const stored = this.#body(candidate);
    const written = this.#inHostFormat(stored, candidate);
    return written === stored
      ? { ...known, host: undefined, body: stored }
      : { ...ours(candidate.item, written), tokens: trimmed?.tokens };
  }

  /** As the host passed it in this request, else as it is stored. */
  #body(candidate: Candidate): string {
    const passed = this.#entries.get(candidate.item)?.message;
    const body = passed ? JSON.stringify(passed) : this.#bodies.get(candidate.contentHash ?? '');
    if (body !== undefined) return body;
    throw new EngineError(
      'store_corrupt',
      `The body of ${candidate.item} is not in the store; run "npm run strata -- doctor".`,
    );
  }

  /** A message that is inlined, as the host would have written it. */
  #inHostFormat(body: string, candidate: Candidate): string {
    const { format: wanted, gathered, model } = this.#input;
    const format = gathered.formats.get(candidate.item) ?? wanted;
    if (format !== wanted) {
      return JSON.stringify(writeMessage(readMessage(JSON.parse(body) as HostMessage, format, 0), wanted));
    }
    // Most bodies have no reasoning in them and need not be parsed to know that.
    if (format === 'openai' || !this.#sent.mayThink(candidate.contentHash ?? '', body)) return body;
    const message = JSON.parse(body) as HostMessage;
    const stripped = stripForeignThinking(message, model);
    return stripped === message ? body : JSON.stringify(stripped);
  }
}

/** Oldest first, as they were lived. */
function chosenSummaries({ checkpoints, summaries }: Gathered, chosen: ReadonlyMap<string, Choice>): ChosenSummary[] {
  return checkpoints
    .flatMap((checkpoint, index): ChosenSummary[] => {
      const candidate = summaries[index];
      const choice = candidate && chosen.get(candidate.item);
      if (!candidate || !choice) return [];
      const text = choice.action === 'included' ? checkpoint.overview : checkpoint.abstract;
      return [{ checkpoint, uri: candidate.uri ?? '', text }];
    })
    .reverse();
}
