import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { previewText } from '../messages/preview-text.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { NewTurn, SessionRow } from '../ports/session-store.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { payloadHash } from '../turns/prepare-turns.ts';
import { resolveBody, type ResolvedMessage } from '../turns/resolve-messages.ts';
import { transcriptLineSchema, type HeaderLine, type TurnLine } from './transcript-lines.ts';

interface Transcript {
  readonly header: HeaderLine;
  readonly turns: readonly TurnLine[];
  readonly checkpoints: readonly CompactCheckpoint[];
}

export interface ImportResult {
  readonly session_uid: string;
  readonly imported: number;
  readonly skipped: number;
}

const batchSize = 500;

/**
 * Takes in an exported transcript. The whole text is read and checked before anything is written; turns that are
 * known by identity are skipped, so that an import that was cut off can be repeated.
 * @throws EngineError `import_invalid` naming the first line that is not as expected.
 */
export async function importTranscript(
  jsonl: string,
  parts: EngineParts,
  counter: TokenCounter,
): Promise<ImportResult> {
  const { header, turns, checkpoints } = parseTranscript(jsonl);
  const { store, clock } = parts;
  const identity = {
    userId: header.user_id,
    agentId: header.agent_id,
    sessionKey: header.session_key,
    sessionId: header.session_id,
  };
  let session = await store.openSession(identity, clock.now(), clock.newId('sess'));
  const wasEmpty = session.lastSequence === 0;
  let imported = 0;
  for (const group of groupTurns(turns)) {
    session = await reachEpoch(parts, session, group[0]?.epoch ?? 0, wasEmpty);
    const result = await appendGroup(parts, counter, session, group);
    imported += result.stored;
    session = result.session;
  }
  // In a session that had turns before, sequences differ, and a checkpoint's range would name other turns.
  if (wasEmpty) for (const checkpoint of [...checkpoints].reverse()) await addOnce(parts, checkpoint, session.uid);
  parts.events.publish({ type: 'session.changed', session_uid: session.uid });
  return { session_uid: session.uid, imported, skipped: turns.length - imported };
}

function parseTranscript(jsonl: string): Transcript {
  let header: HeaderLine | undefined;
  const turns: TurnLine[] = [];
  const checkpoints: CompactCheckpoint[] = [];
  jsonl.split('\n').forEach((text, index) => {
    if (text.trim() === '') return;
    const line = parseLine(text, index + 1);
    if (line.type === 'strata.session' && !header) header = line;
    else if (line.type === 'turn') turns.push(line);
    else if (line.type === 'checkpoint') checkpoints.push(line.checkpoint);
    else throw invalid(index + 1, 'a second header');
  });
  if (!header) throw invalid(1, 'no header line {"type":"strata.session","version":1,…}');
  return { header, turns, checkpoints };
}

function parseLine(text: string, lineNumber: number) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalid(lineNumber, 'text that is not JSON', cause);
  }
  const parsed = transcriptLineSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw invalid(lineNumber, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a line of a transcript'}`);
  }
  return parsed.data;
}

function invalid(lineNumber: number, found: string, cause?: unknown): EngineError {
  return new EngineError(
    'import_invalid',
    `Line ${lineNumber} is not a line of an exported transcript: ${found}. Nothing was imported.`,
    { details: { line: lineNumber }, cause },
  );
}

/** Runs of turns that were stored by one call: the same advancement, or none; never over an epoch's end. */
function* groupTurns(turns: readonly TurnLine[]): Iterable<readonly TurnLine[]> {
  let group: TurnLine[] = [];
  for (const turn of turns) {
    const last = group.at(-1);
    const fits =
      last === undefined ||
      (last.epoch === turn.epoch && last.advancement_key === turn.advancement_key && group.length < batchSize);
    if (!fits) {
      yield group;
      group = [];
    }
    group.push(turn);
  }
  if (group.length > 0) yield group;
}

async function reachEpoch(
  parts: EngineParts,
  session: SessionRow,
  epoch: number,
  wasEmpty: boolean,
): Promise<SessionRow> {
  return wasEmpty && epoch > session.epoch ? parts.store.startEpoch(session.uid, parts.clock.now()) : session;
}

async function appendGroup(parts: EngineParts, counter: TokenCounter, session: SessionRow, group: readonly TurnLine[]) {
  const resolved = group.map((line, index) => resolveBody(line.message, line.format, index));
  const tokens = await countByFormat(counter, group, resolved);
  const turns = group.map((line, index) => newTurn(line, resolved[index], tokens[index] ?? 0));
  const key = group[0]?.advancement_key;
  const result = await parts.store.appendTurns({
    sessionUid: session.uid,
    at: parts.clock.now(),
    turns,
    ...(key === undefined ? {} : { advancement: { key, payloadHash: payloadHash(resolved) } }),
    patch: { lastActiveAt: Math.max(session.lastActiveAt, ...turns.map((turn) => turn.timestamp)) },
  });
  if (result.status === 'conflict') {
    throw new EngineError(
      'advancement_conflict',
      `The advancement ${key ?? ''} is stored with other messages; the import stopped there.`,
    );
  }
  return { stored: result.stored.length, session: result.session };
}

async function countByFormat(counter: TokenCounter, group: readonly TurnLine[], resolved: readonly ResolvedMessage[]) {
  return Promise.all(
    resolved.map(
      async (message, index) => (await counter.messages([message.view], group[index]?.format ?? 'openclaw'))[0] ?? 0,
    ),
  );
}

function newTurn(line: TurnLine, resolved: ResolvedMessage | undefined, tokens: number): NewTurn {
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

async function addOnce(parts: EngineParts, checkpoint: CompactCheckpoint, uid: string): Promise<void> {
  if (!(await parts.store.findCheckpoint(checkpoint.checkpoint_id))) await parts.store.addCheckpoint(checkpoint, uid);
}
