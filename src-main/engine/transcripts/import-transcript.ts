import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { readResultContent, resultBody } from '../../../src-shared/synopsis/result-content.ts';
import { previewText } from '../messages/preview-text.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { NewTurn, SessionIdentity, SessionRow } from '../ports/session-store.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { countResult } from '../tool-results/count-result.ts';
import { payloadHash } from '../turns/prepare-turns.ts';
import { resolveBody } from '../turns/resolve-messages.ts';
import { checkAgainstStore } from './check-against-store.ts';
import { findCommonStart } from './find-common-start.ts';
import { parseTranscript, type Transcript } from './parse-transcript.ts';
import type { HeaderLine, ToolResultLine, TurnLine } from './transcript-lines.ts';

export interface ImportResult {
  readonly session_uid: string;
  readonly imported: number;
  readonly skipped: number;
}

const batchSize = 500;

/**
 * Takes in an exported transcript. All of it is read and compared with what is stored before anything is written.
 * Turns that are known are skipped, so that an import that was cut off can be repeated, and a longer transcript of
 * the same session goes on where the shorter one ended.
 * @throws EngineError `import_invalid` naming the first line that is not as expected, or the turn from which on the
 * session here is another one; `advancement_conflict` when a key is stored with other messages; `checkpoint_conflict`
 * when another checkpoint stands here for turns of one in the transcript. Nothing is written then
 */
export async function importTranscript(
  jsonl: string,
  parts: EngineParts,
  counter: TokenCounter,
): Promise<ImportResult> {
  const transcript = parseTranscript(jsonl);
  const { store, clock, events } = parts;
  const identity = identityOf(transcript.header);
  const existing = await store.findSession(identity);
  const known = existing ? await findCommonStart(store, existing, transcript) : 0;
  await checkAgainstStore(store, existing, transcript.checkpoints);
  let session = await store.openSession(identity, clock.now(), await newUid(parts, transcript.header));
  // Before the turns: no synopsis ever stands in the log without what it leads to.
  for (const line of transcript.toolResults) await putResult(line, identity.userId, parts, counter);
  const writer = new TranscriptWriter(parts, counter, transcript);
  for (const group of groupTurns(transcript.turns.slice(known))) {
    session = await writer.append(session, group);
  }
  await writer.addAdvancements(session);
  if (transcript.header.epoch > session.epoch && session.lastSequence === transcript.turns.length) {
    session = await store.startEpoch(session.uid, clock.now());
  }
  await store.importCheckpoints([...transcript.checkpoints].reverse(), session.uid);
  events.publish({ type: 'session.changed', session_uid: session.uid });
  const imported = transcript.turns.length - known;
  return { session_uid: session.uid, imported, skipped: known };
}

async function putResult(line: ToolResultLine, userId: string, { store }: EngineParts, counter: TokenCounter) {
  const { tokens } = await countResult(readResultContent(line.content).text, counter);
  await store.putToolResult({
    contentHash: line.content_hash,
    userId,
    sessionKey: line.session_key,
    sessionId: line.session_id,
    toolCallId: line.tool_call_id,
    toolName: line.tool_name,
    storedAt: line.stored_at,
    body: resultBody(line.content),
    tokens,
  });
}

function identityOf(header: HeaderLine): SessionIdentity {
  return {
    userId: header.user_id,
    agentId: header.agent_id,
    sessionKey: header.session_key,
    sessionId: header.session_id,
  };
}

/** The uid that the session had, so that URIs which were written into messages lead to it here as well. */
async function newUid({ store, clock }: EngineParts, header: HeaderLine): Promise<string> {
  const wanted = header.session_uid;
  const isFree = wanted !== undefined && (await store.lookUpSessions(wanted)).length === 0;
  return isFree ? wanted : clock.newId('sess');
}

/** Runs of turns that were stored by one call: one advancement, or up to 500 without; never over an epoch's end. */
function* groupTurns(turns: readonly TurnLine[]): Iterable<readonly TurnLine[]> {
  let group: TurnLine[] = [];
  for (const turn of turns) {
    const last = group.at(-1);
    const fits =
      last === undefined ||
      (last.epoch === turn.epoch &&
        last.advancement_key === turn.advancement_key &&
        (turn.advancement_key !== undefined || group.length < batchSize));
    if (!fits) {
      yield group;
      group = [];
    }
    group.push(turn);
  }
  if (group.length > 0) yield group;
}

/** Appends turns as they were appended once, with their own ids, identities and advancements. */
class TranscriptWriter {
  readonly #parts: EngineParts;
  readonly #counter: TokenCounter;
  readonly #transcript: Transcript;
  readonly #written = new Set<string>();

  constructor(parts: EngineParts, counter: TokenCounter, transcript: Transcript) {
    this.#parts = parts;
    this.#counter = counter;
    this.#transcript = transcript;
  }

  async append(session: SessionRow, group: readonly TurnLine[]): Promise<SessionRow> {
    const { store, clock } = this.#parts;
    const epoch = group[0]?.epoch ?? 0;
    const current = epoch > session.epoch ? await store.startEpoch(session.uid, clock.now()) : session;
    const key = group[0]?.advancement_key;
    return key === undefined ? this.#store(current, group) : this.#storeAdvancement(current, key, group);
  }

  /** Those whose turns were all stored before they were committed: they have no rows of their own. */
  async addAdvancements(session: SessionRow): Promise<void> {
    const stored = new Set((await this.#parts.store.advancements(session.uid)).map(({ key }) => key));
    for (const key of this.#transcript.advancements.keys()) {
      if (!this.#written.has(key) && !stored.has(key)) await this.#storeAdvancement(session, key, []);
    }
  }

  async #storeAdvancement(session: SessionRow, key: string, group: readonly TurnLine[]): Promise<SessionRow> {
    this.#written.add(key);
    const known = this.#transcript.advancements.get(key);
    const lines = known?.sequences.flatMap((sequence) => this.#transcript.turns[sequence - 1] ?? []) ?? group;
    return this.#store(session, lines, { key, payloadHash: known?.payload_hash });
  }

  async #store(
    session: SessionRow,
    lines: readonly TurnLine[],
    advancement?: { readonly key: string; readonly payloadHash: string | undefined },
  ): Promise<SessionRow> {
    const resolved = lines.map((line, index) => resolveBody(line.message, line.format, index));
    const tokens = await this.#count(lines, resolved);
    const turns = lines.map((line, index) => newTurn(line, resolved[index], tokens[index] ?? 0));
    const hash = advancement?.payloadHash ?? payloadHash(resolved);
    const result = await this.#parts.store.appendTurns({
      sessionUid: session.uid,
      at: Math.max(0, ...turns.map((turn) => turn.timestamp)),
      turns,
      ...(advancement === undefined ? {} : { advancement: { key: advancement.key, payloadHash: hash } }),
    });
    if (result.status === 'conflict') throw new EngineError('internal', 'An advancement came in between the import.');
    return result.session;
  }

  async #count(lines: readonly TurnLine[], resolved: readonly Resolved[]): Promise<readonly number[]> {
    const tokens = new Array<number>(lines.length).fill(0);
    for (const format of ['openclaw', 'openai'] as const) {
      const indexes = lines.flatMap((line, index) => (line.format === format ? [index] : []));
      const views = indexes.flatMap((index) => resolved[index]?.view ?? []);
      const counts = await this.#counter.messages(views, format);
      indexes.forEach((index, position) => (tokens[index] = counts[position] ?? 0));
    }
    return tokens;
  }
}

type Resolved = ReturnType<typeof resolveBody>;

function newTurn(line: TurnLine, resolved: Resolved | undefined, tokens: number): NewTurn {
  if (!resolved) throw new EngineError('internal', 'A turn of the import was not resolved.');
  const { view } = resolved;
  return {
    turnId: line.turn_id,
    identity: line.identity,
    messageKey: resolved.key,
    entryId: line.entry_id,
    role: view.role,
    format: line.format,
    timestamp: line.timestamp,
    body: resolved.body,
    contentHash: resolved.contentHash,
    tokens,
    preview: previewText(view),
    toolCallIds: view.toolCalls.map((call) => call.id),
    toolResultFor: view.toolResult?.callId,
    excluded: view.excluded,
    heartbeat: line.is_heartbeat ?? false,
  };
}
