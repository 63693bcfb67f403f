import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { messageKeyText } from '../../../src-shared/protocol/host-message.ts';
import { sha256 } from '../hash.ts';
import type { MessageView } from '../messages/message-view.ts';
import { readMessage } from '../messages/read-message.ts';
import { checkCheckpoints, type TranscriptCheckpoint, type TurnFacts } from './check-checkpoints.ts';
import { invalidLine, quoted } from './invalid-line.ts';
import { mostTokens } from './most-tokens.ts';
import {
  transcriptLineSchema,
  type AdvancementLine,
  type HeaderLine,
  type ToolResultLine,
  type TranscriptLine,
  type TurnLine,
} from './transcript-lines.ts';

/** A transcript that can be taken in as it is: sequences 1, 2, 3 …, epochs in order, nothing named that is not there. */
export interface Transcript {
  readonly header: HeaderLine;
  readonly turns: readonly TurnLine[];
  /** Each is what its hash names. */
  readonly toolResults: readonly ToolResultLine[];
  readonly advancements: ReadonlyMap<string, AdvancementLine>;
  /** Newest first, as exported. */
  readonly checkpoints: readonly TranscriptCheckpoint[];
}

/** @throws EngineError `import_invalid` naming the first line that is not as expected. */
export function parseTranscript(jsonl: string): Transcript {
  const lines = new TranscriptLines();
  // Some editors put a mark before the first line.
  const text = jsonl.startsWith('\ufeff') ? jsonl.slice(1) : jsonl;
  text.split('\n').forEach((line, index) => {
    if (line.trim() !== '') lines.add(parseLine(line, index + 1), index + 1);
  });
  return lines.complete();
}

class TranscriptLines {
  #header: HeaderLine | undefined;
  readonly #turns: TurnLine[] = [];
  readonly #identities = new Set<string>();
  /** Sequences of the turns that were stored under each key: one run of them. */
  readonly #ownTurns = new Map<string, number[]>();
  readonly #advancements = new Map<string, AdvancementLine>();
  readonly #advancementLines: { readonly line: number; readonly advancement: AdvancementLine }[] = [];
  readonly #checkpoints: TranscriptCheckpoint[] = [];
  readonly #facts: TurnFacts[] = [];
  readonly #toolResults = new Map<string, ToolResultLine>();
  /** What names turns can only be checked once all turns are read. */
  readonly #claims: { readonly line: number; readonly last: number; readonly what: string }[] = [];

  add(line: TranscriptLine, at: number): void {
    switch (line.type) {
      case 'strata.session':
        if (this.#header) throw invalidLine(at, 'a second header');
        this.#header = line;
        return;
      case 'turn':
        return this.#addTurn(line, at);
      case 'tool_result':
        return this.#addToolResult(line, at);
      case 'advancement':
        if (this.#advancements.has(line.key)) throw invalidLine(at, `a second advancement ${quoted(line.key)}`);
        this.#advancements.set(line.key, line);
        this.#advancementLines.push({ line: at, advancement: line });
        return this.#claim(at, Math.max(0, ...line.sequences), 'advancement');
      case 'checkpoint': {
        const { checkpoint, end } = line;
        this.#checkpoints.push({ line: at, checkpoint, end: end && { state: end.state, at: end.at, by: end.by } });
      }
    }
  }

  complete(): Transcript {
    const header = this.#header;
    if (!header) throw invalidLine(1, 'no header line {"type":"strata.session","version":2,…}');
    for (const { line, last, what } of this.#claims) {
      if (last > this.#turns.length) {
        throw invalidLine(line, `${what} names turn ${last}, and there are ${this.#turns.length}`);
      }
    }
    const epoch = this.#turns.at(-1)?.epoch;
    // A session that was reset and has no turn since is one epoch further than its last turn.
    const steps = header.epoch - (epoch ?? 0);
    if (steps < 0 || steps > (epoch === undefined ? 0 : 1)) {
      throw invalidLine(1, `epoch ${header.epoch}, and the last turn is of epoch ${epoch ?? 'none'}`);
    }
    for (const { line, advancement } of this.#advancementLines) this.#checkAdvancement(advancement, line);
    checkCheckpoints(this.#checkpoints, this.#facts);
    return {
      header,
      turns: this.#turns,
      toolResults: [...this.#toolResults.values()],
      advancements: this.#advancements,
      checkpoints: this.#checkpoints,
    };
  }

  /** A synopsis that names a result must lead to that result and to nothing else. */
  #addToolResult(line: ToolResultLine, at: number): void {
    const hash = sha256(JSON.stringify(line.content));
    if (hash !== line.content_hash) {
      throw invalidLine(at, `a tool result ${quoted(line.content_hash)} whose content has the hash ${quoted(hash)}`);
    }
    if (this.#toolResults.has(hash)) throw invalidLine(at, `a second tool result ${quoted(hash)}`);
    this.#toolResults.set(hash, line);
  }

  #addTurn(turn: TurnLine, at: number): void {
    const before = this.#turns.at(-1);
    const expected = this.#turns.length + 1;
    if (turn.sequence !== expected) throw invalidLine(at, `turn ${turn.sequence} where turn ${expected} belongs`);
    const step = turn.epoch - (before?.epoch ?? 0);
    if (step < 0 || step > (before ? 1 : 0))
      throw invalidLine(at, `epoch ${turn.epoch} after ${before?.epoch ?? 'none'}`);
    if (this.#identities.has(turn.identity))
      throw invalidLine(at, `a second turn with the identity ${quoted(turn.identity)}`);
    this.#identities.add(turn.identity);
    this.#noteAdvancement(turn, at);
    const view = readTurn(turn, at, expected);
    if (!isIdentityOf(turn, view)) throw invalidLine(at, 'a message that its identity is not of');
    this.#turns.push(turn);
    const earlier = step === 0 ? (this.#facts.at(-1)?.mostTokens ?? 0) : 0;
    this.#facts.push({ epoch: turn.epoch, mostTokens: earlier + mostTokens(view, turn.format) });
  }

  #noteAdvancement({ advancement_key: key, sequence, epoch }: TurnLine, at: number): void {
    if (key === undefined) return;
    const own = this.#ownTurns.get(key) ?? [];
    const before = this.#turns.at(-1);
    if (own.length > 0 && (own.at(-1) !== sequence - 1 || before?.epoch !== epoch)) {
      throw invalidLine(at, `a turn of the advancement ${quoted(key)} apart from its others`);
    }
    own.push(sequence);
    this.#ownTurns.set(key, own);
  }

  /** All turns that were stored under its key, and else only such as were stored before. */
  #checkAdvancement({ key, sequences }: AdvancementLine, at: number): void {
    const own = this.#ownTurns.get(key) ?? [];
    const ownTurns = new Set(own);
    const listed = new Set(sequences);
    const first = own[0] ?? Infinity;
    const others = sequences.filter((sequence) => !ownTurns.has(sequence));
    if (own.some((sequence) => !listed.has(sequence)) || others.some((sequence) => sequence > first)) {
      throw invalidLine(at, `the advancement ${quoted(key)} with other turns than those stored under its key`);
    }
  }

  #claim(line: number, last: number, what: string): void {
    this.#claims.push({ line, last, what });
  }
}

function parseLine(text: string, lineNumber: number): TranscriptLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalidLine(lineNumber, 'text that is not JSON', cause);
  }
  const parsed = transcriptLineSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  throw invalidLine(lineNumber, `${where}${issue?.message ?? 'not a line of a transcript'}`);
}

function readTurn(turn: TurnLine, at: number, sequence: number): MessageView {
  try {
    return readMessage(turn.message, turn.format, sequence - 1);
  } catch (cause) {
    throw invalidLine(at, cause instanceof EngineError ? cause.message : 'a message that cannot be read', cause);
  }
}

/**
 * With a time a message's identity is its key: an edited message under the old identity would keep the real one out of
 * the log when the host offers it again.
 */
function isIdentityOf({ identity, message }: TurnLine, view: MessageView): boolean {
  if (view.timestamp === undefined) return true;
  const key = sha256(messageKeyText(message));
  return identity === key || identity.startsWith(`${key}#`);
}
