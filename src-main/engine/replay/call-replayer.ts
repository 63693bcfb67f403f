import { diffCalls } from '../../../src-shared/diff/diff-calls.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { AssembleTrace } from '../../../src-shared/model/trace.ts';
import type { CallFixture } from '../../../src-shared/protocol/fixture.ts';
import type { ReplayChanges, ReplayNote, ReplayReply } from '../../../src-shared/protocol/replay.ts';
import type { StrategiesOfCalls } from '../assemble/answer-builder.ts';
import { Deadline } from '../deadline.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { unknownCall } from '../reading/unknown-call.ts';
import { readCallState, type CallState } from './call-state.ts';
import { noChanges } from './no-changes.ts';
import { inferInputs } from './infer-inputs.ts';
import { makeFixture } from './make-fixture.ts';
import { memoryOfToday, type PresentMemory } from './memory-of-today.ts';
import { runAgain, type Run, type RunParts } from './run-again.ts';

/** A call that can be run again, and whether it comes out as it did. */
export interface OpenedCall {
  readonly trace: AssembleTrace;
  readonly state: CallState;
  /** Run as it was. */
  readonly unchanged: Run;
  readonly exact: boolean;
  readonly notes: readonly ReplayNote[];
}

/** Calls that are held opened: a person tries several things with one. */
const heldCalls = 8;
/** Longest replay (ms). */
const longestMs = 15_000;
/** Replays that run at once: the agent's own calls come first. */
const mostRunning = 2;

/** Runs recorded calls again without side effects. */
export class CallReplayer {
  readonly #parts: EngineParts;
  readonly #run: RunParts;
  readonly #opened = new Map<string, Promise<OpenedCall>>();
  #running = 0;

  constructor(
    parts: EngineParts,
    counter: TokenCounter,
    strategies: StrategiesOfCalls,
    memory: PresentMemory | undefined,
  ) {
    this.#parts = parts;
    this.#run = {
      ...{ parts, counter, strategies, source: parts.store },
      today: memory && ((asOf) => memoryOfToday(asOf, memory, counter)),
    };
  }

  /** @throws EngineError `unknown_call`; `busy` while others run; `deadline_exceeded`; what a strategy throws */
  async replay(callId: string, changes: ReplayChanges): Promise<ReplayReply> {
    const started = performance.now();
    return this.alone(async () => {
      const opened = await this.open(callId);
      const isChanged = !isEmpty(changes);
      const run = isChanged ? await this.runWith(opened, changes) : opened.unchanged;
      return {
        trace: run.trace,
        diff: diffCalls(opened.trace, run.trace),
        exact: opened.exact,
        notes: uniqueNotes([...opened.notes, ...run.notes]),
        changed: isChanged,
        duration_ms: performance.now() - started,
      };
    });
  }

  /** Reads a call and runs it as it was, once for several trials. */
  async open(callId: string): Promise<OpenedCall> {
    const held = this.#opened.get(callId);
    if (held) return held;
    const opening = this.#open(callId);
    this.#opened.set(callId, opening);
    opening.catch(() => this.#opened.delete(callId));
    const oldest = this.#opened.size > heldCalls ? this.#opened.keys().next().value : undefined;
    if (oldest !== undefined) this.#opened.delete(oldest);
    return opening;
  }

  /** The call with everything it was made from, as a file. */
  async fixtureOf(trace: AssembleTrace): Promise<CallFixture> {
    return this.alone(() => makeFixture(trace, this.#run, this.#parts.config));
  }

  runWith({ trace, state }: OpenedCall, changes: ReplayChanges): Promise<Run> {
    return runAgain(trace, state, changes, this.#run);
  }

  /** One of few at a time, and not for ever. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= mostRunning) {
      throw new EngineError('busy', `${this.#running} calls are being run again already; try once more in a second.`);
    }
    this.#running += 1;
    const deadline = new Deadline(longestMs);
    try {
      const outcome = await deadline.wait(work());
      if (outcome.state === 'done') return outcome.value;
      if (outcome.state === 'failed') throw outcome.error;
      throw new EngineError('deadline_exceeded', `The call was not run again within ${longestMs} ms.`);
    } finally {
      deadline.clear();
      this.#running -= 1;
    }
  }

  async #open(callId: string): Promise<OpenedCall> {
    const { store, config, tokenizer, version } = this.#parts;
    const found = await store.findCall(callId);
    if (!found) throw unknownCall(callId);
    const { trace } = found;
    const { inputs, notes } = trace.inputs
      ? { inputs: trace.inputs, notes: [] as readonly ReplayNote[] }
      : await this.#infer(trace);
    const read = await readCallState(trace, inputs, store, config);
    // What was not on record was not left out then.
    const state = trace.inputs ? read : { ...read, memory: { standing: undefined, recall: undefined } };
    const unchanged = await runAgain(trace, state, noChanges, this.#run);
    const exact = isSameList(trace, unchanged.trace);
    const why: ReplayNote[] = [...notes, ...state.notes, ...unchanged.notes];
    if (trace.degraded) {
      why.push({
        code: 'degraded_call',
        message: `The call was answered with the host’s own messages (${trace.degraded.code}); this is what it would have been.`,
      });
    }
    if (!exact && inputs.tokenizer !== tokenizer.name) {
      why.push({
        code: 'output_differs',
        message: `It was counted with ${inputs.tokenizer}, which is not there any more.`,
      });
    }
    if (!exact && trace.engine_version !== version) {
      why.push({
        code: 'other_engine_version',
        message: `It was made by version ${trace.engine_version}; this is ${version}.`,
      });
    }
    if (!exact && why.length === 0) {
      why.push({
        code: 'output_differs',
        message: `The list is not the recorded one; a strategy that is not part of the product (${trace.strategy}) may have been changed.`,
      });
    }
    return { trace, state, unchanged, exact, notes: uniqueNotes(why) };
  }

  async #infer(trace: AssembleTrace) {
    const { store, tokenizer } = this.#parts;
    const [session] = await store.lookUpSessions(trace.session_uid);
    if (!session) throw unknownCall(trace.call_id);
    return inferInputs(trace, session, store, tokenizer.name);
  }
}

/** Byte for byte: the messages by their hashes, and what stands before them. */
function isSameList(a: AssembleTrace, b: AssembleTrace): boolean {
  return a.output_hash === b.output_hash && (a.system_prompt_addition ?? '') === (b.system_prompt_addition ?? '');
}

function isEmpty({ pins, exclude, settings, ...rest }: ReplayChanges): boolean {
  const values = Object.values(settings ?? {}).flatMap((section) => Object.keys(section));
  return (
    pins.length + exclude.length + values.length === 0 && Object.values(rest).every((value) => value === undefined)
  );
}

function uniqueNotes(notes: readonly ReplayNote[]): ReplayNote[] {
  return [...new Map(notes.map((note) => [`${note.code} ${note.item ?? ''} ${note.message}`, note])).values()];
}
