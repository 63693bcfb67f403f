import type { Config } from '../../../src-shared/model/config.ts';
import type { CallInputs, InputMessage } from '../../../src-shared/model/call-inputs.ts';
import type { RecallResult } from '../../../src-shared/model/recall.ts';
import type { AssembleRequest } from '../../../src-shared/protocol/assemble.ts';
import type { HostEntry } from '../assemble/host-messages.ts';
import type { RecallPlace } from '../assemble/recall/find-question.ts';
import type { Recalled } from '../assemble/recall/recalled.ts';
import type { StandingOfCall } from '../assemble/standing-of-call.ts';
import { sha256 } from '../hash.ts';
import type { NewContent, SessionRow } from '../ports/session-store.ts';
import type { StandingPart } from '../ports/standing-store.ts';

/** What the configuration says about calls; nothing secret is among it. */
export type CallSettings = Pick<Config, 'assemble' | 'recall' | 'tool_results'>;

export interface MadeFrom {
  readonly request: AssembleRequest;
  readonly session: SessionRow;
  readonly host: readonly HostEntry[];
  /** Ids of the checkpoints that stood, newest first. */
  readonly checkpoints: readonly string[];
  readonly standing: StandingOfCall | undefined;
  readonly recall:
    { readonly recalled: Recalled; readonly room: number; readonly place: RecallPlace | undefined } | undefined;
}

export interface RecordedInputs {
  readonly inputs: CallInputs;
  /** What the inputs name by hash. */
  readonly contents: readonly NewContent[];
}

/** Memories that were not packed whose texts are kept whole; of the others so many characters, which is what a trace shows. */
const wholeTexts = 12;
const shownCharacters = 400;

/** Puts on record what a call was made from, so that it can be run again. Parts that many calls share are written once. */
export class InputRecorder {
  readonly #settings: NewContent;
  readonly #tokenizer: string;
  readonly #parts = new WeakMap<readonly StandingPart[], NewContent>();
  readonly #results = new WeakMap<RecallResult, NewContent>();

  constructor({ assemble, recall, tool_results }: CallSettings, tokenizer: string) {
    this.#settings = newRecord({ assemble, recall, tool_results });
    this.#tokenizer = tokenizer;
  }

  record(made: MadeFrom): RecordedInputs {
    const { request, session, host, checkpoints } = made;
    const contents: NewContent[] = [this.#settings];
    const keep = (content: NewContent): string => {
      contents.push(content);
      return content.contentHash;
    };
    const standing = made.standing && this.#standing(made.standing, keep);
    const recall = made.recall && this.#recall(made.recall, keep);
    const inputs: CallInputs = {
      version: 1,
      session: sessionState(session),
      request: requestState(request, keep),
      messages: inRuns(host),
      checkpoints: [...checkpoints],
      settings: this.#settings.contentHash,
      tokenizer: this.#tokenizer,
      ...(standing === undefined ? {} : { standing }),
      ...(recall === undefined ? {} : { recall }),
    };
    return { inputs, contents };
  }

  #standing({ from }: StandingOfCall, keep: (content: NewContent) => string): CallInputs['standing'] {
    if ('failed' in from) return from;
    const parts = this.#parts.get(from.parts) ?? newRecord(from.parts);
    this.#parts.set(from.parts, parts);
    return {
      parts: keep(parts),
      as_of: from.asOf,
      changes_waiting: from.changesWaiting,
      is_left_to_host: from.isLeftToHost,
    };
  }

  #recall(
    { recalled, room, place }: NonNullable<MadeFrom['recall']>,
    keep: (content: NewContent) => string,
  ): CallInputs['recall'] {
    const { query, at, result, sent, rejected } = recalled;
    const head = { query: query.slice(0, 500).toWellFormed(), at, room, ...(place && { place: placeState(place) }) };
    if (!result) {
      const [note] = rejected;
      return { ...head, ...(note && { note: { reason: note.reason, preview: note.candidate.preview } }) };
    }
    const content = this.#results.get(result) ?? newRecord(shortened(result));
    this.#results.set(result, content);
    return { ...head, result: keep(content), ...(sent && { sent: [...sent] }) };
  }
}

function sessionState(session: SessionRow): CallInputs['session'] {
  const { lastBudget, lastModel, parentSessionKey } = session;
  return {
    user_id: session.userId,
    created_at: session.createdAt,
    last_active_at: session.lastActiveAt,
    last_sequence: session.lastSequence,
    epoch_start: session.epochStart,
    epoch_tokens: session.epochTokens,
    checkpoint_count: session.checkpointCount,
    ...(lastBudget === undefined ? {} : { last_budget: lastBudget }),
    ...(lastModel === undefined ? {} : { last_model: lastModel }),
    ...(parentSessionKey === undefined ? {} : { parent_session_key: parentSessionKey }),
  };
}

function requestState(request: AssembleRequest, keep: (content: NewContent) => string): CallInputs['request'] {
  const { token_budget, model, prompt, available_tools, recall, recent_raw_turn_count, host_count } = request;
  return {
    ...(token_budget === undefined ? {} : { token_budget }),
    ...(model === undefined ? {} : { model }),
    ...(prompt === undefined ? {} : { prompt: keep(newRecord(prompt)) }),
    ...(available_tools === undefined ? {} : { available_tools }),
    ...(recall === undefined ? {} : { recall }),
    ...(recent_raw_turn_count === undefined ? {} : { recent_raw_turn_count }),
    ...(host_count === undefined ? {} : { host_count }),
  };
}

/** A host mostly passes neighbouring turns: a list of a thousand messages is a few numbers. */
function inRuns(host: readonly HostEntry[]): InputMessage[] {
  const runs: InputMessage[] = [];
  let run: [number, number, number] | undefined;
  for (const { candidate, meta } of host) {
    const index = candidate.hostIndex ?? 0;
    if (run && meta && index === run[0] + run[2] && meta.sequence === run[1] + run[2]) {
      run[2] += 1;
      continue;
    }
    run = meta && [index, meta.sequence, 1];
    runs.push(run ?? [index, candidate.contentHash ?? '']);
  }
  return runs;
}

function placeState(place: RecallPlace): NonNullable<NonNullable<CallInputs['recall']>['place']> {
  if (place.at === 'end') return { at: 'end' };
  const { hostIndex, sequence } = place;
  return {
    at: 'before',
    ...(hostIndex === undefined ? {} : { host_index: hostIndex }),
    ...(sequence === undefined ? {} : { sequence }),
  };
}

function shortened(result: RecallResult): RecallResult {
  let others = 0;
  return {
    ...result,
    duration_ms: 0,
    from_cache: false,
    candidates: result.candidates.map((candidate) => {
      if (candidate.packed || ++others <= wholeTexts || candidate.text.length <= shownCharacters) return candidate;
      return { ...candidate, text: candidate.text.slice(0, shownCharacters).toWellFormed() };
    }),
  };
}

/** Under its own hash as the key: no message has that one. */
function newRecord(value: unknown): NewContent {
  const body = JSON.stringify(value);
  const hash = sha256(body);
  return { contentHash: hash, messageKey: hash, tokens: 0, body };
}
