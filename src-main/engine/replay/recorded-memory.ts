import type { Config } from '../../../src-shared/model/config.ts';
import type { InputRecall } from '../../../src-shared/model/call-inputs.ts';
import { decisionReasonSchema } from '../../../src-shared/model/trace.ts';
import type { RecallResult } from '../../../src-shared/model/recall.ts';
import type { AssembleRequest } from '../../../src-shared/protocol/assemble.ts';
import type { AskedMemory, MemoryOfCall } from '../assemble/call-memory.ts';
import type { AskedQuestion } from '../assemble/recall/find-question.ts';
import { readRecallResult, recallNote } from '../assemble/recall/read-recall-result.ts';
import { recallRoom } from '../assemble/recall/recall-room.ts';
import type { Recalled } from '../assemble/recall/recalled.ts';
import { nothingRecalled, onlySent } from '../assemble/recall/turn-recalls.ts';
import { itemOf, noStandingBecause, standingOfCall, type StandingOfCall } from '../assemble/standing-of-call.ts';
import type { SessionRow } from '../ports/session-store.ts';
import type { StandingView } from '../standing/standing-memory.ts';
import type { RecallRule } from '../strategies/context-engine.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { repackRecall } from './repack-recall.ts';
import type { Trial } from './trial.ts';

/** What was on record about memory. Undefined parts were not recorded, and are asked of `today`. */
export interface RecordedMemoryOfCall {
  readonly standing: StandingView | { readonly failed: string; readonly late: boolean } | undefined;
  readonly recall: { readonly of: InputRecall; readonly result: RecallResult | undefined } | undefined;
}

export interface RecordedMemoryParts {
  readonly recorded: RecordedMemoryOfCall;
  /** As it was recorded, and as it is to be now. */
  readonly settingsThen: Pick<Config, 'recall'>;
  readonly config: Config;
  readonly counter: TokenCounter;
  readonly trial: Trial;
  /** Memory as it is now; undefined: what is not on record is not there. */
  readonly today: MemoryOfCall | undefined;
  readonly onToday: (what: 'standing' | 'recall') => void;
}

/** The memory that a call had, for running it again: from the record, as far as there is one. */
export class RecordedMemory implements MemoryOfCall {
  readonly #parts: RecordedMemoryParts;

  constructor(parts: RecordedMemoryParts) {
    this.#parts = parts;
  }

  async ask(
    request: AssembleRequest,
    session: SessionRow,
    rule: RecallRule | undefined,
    budget: number,
  ): Promise<AskedMemory | undefined> {
    const { config, recorded, today, onToday } = this.#parts;
    const room = rule ? recallRoom(request.recall, config.recall, rule, budget) : 0;
    if (!rule || room === 0) return undefined;
    if (recorded.recall) return { question: questionOf(recorded.recall.of), call: undefined, room };
    if (!today) return undefined;
    onToday('recall');
    return today.ask(request, session, rule, budget);
  }

  async take(asked: AskedMemory, request: AssembleRequest): Promise<Recalled> {
    const { recorded, today } = this.#parts;
    if (recorded.recall) return this.#recalled(recorded.recall.of, recorded.recall.result, asked.room, request);
    return today ? today.take(asked, request) : nothingRecalled('', 0, recallNote('recall_skipped', ''));
  }

  async standingFor(
    request: AssembleRequest,
    session: SessionRow,
    checkpoints: readonly string[],
    budget: number,
  ): Promise<StandingOfCall> {
    const { recorded, today, onToday, counter } = this.#parts;
    const from = recorded.standing;
    if (from && 'failed' in from) return noStandingBecause(from.failed, from.late);
    if (from) return standingOfCall(this.#withoutExcluded(from), budget, counter);
    if (!today) return standingOfCall(nothing, budget, counter);
    onToday('standing');
    const standing = await today.standingFor(request, session, checkpoints, budget);
    return 'parts' in standing.from ? standingOfCall(this.#withoutExcluded(standing.from), budget, counter) : standing;
  }

  /** Nothing is to be known of a call that did not take place. */
  noteAnswered(): void {
    return undefined;
  }

  async prefetch(): Promise<boolean> {
    return false;
  }

  #withoutExcluded(view: StandingView): StandingView {
    const { trial } = this.#parts;
    if (trial.isEmpty) return view;
    const parts = view.parts.filter((part) => {
      const item = itemOf(part);
      if (part.uris.length <= 1) return !trial.isExcluded({ item, uri: part.uris[0] });
      for (const uri of part.uris) {
        if (trial.isExcluded({ item: '', uri }))
          trial.refuse(uri, `${uri} is one of several pages in ${item}; exclude that.`);
      }
      return !trial.isExcluded({ item });
    });
    return { ...view, parts };
  }

  async #recalled(
    of: InputRecall,
    result: RecallResult | undefined,
    room: number,
    request: AssembleRequest,
  ): Promise<Recalled> {
    const { config, counter, settingsThen, trial } = this.#parts;
    if (!result) {
      const reason = decisionReasonSchema.safeParse(of.note?.reason);
      const note = recallNote(reason.success ? reason.data : 'recall_skipped', of.note?.preview ?? '');
      return nothingRecalled(of.query, of.at, note);
    }
    const limit = request.recall?.limit ?? config.recall.limit;
    const minScore = request.recall?.min_score ?? config.recall.min_score;
    const isPinned = (uri: string): boolean => trial.isPinned({ item: `recall:${uri}`, uri });
    const isExcluded = (uri: string): boolean => trial.isExcluded({ item: `recall:${uri}`, uri });
    const isAsThen =
      room === of.room &&
      config.recall.limit === settingsThen.recall.limit &&
      config.recall.min_score === settingsThen.recall.min_score &&
      !result.candidates.some(({ uri }) => [isPinned(uri), isExcluded(uri)].includes(true));
    const read = isAsThen ? result : repackRecall(result, { limit, minScore, maxTokens: room, isPinned, isExcluded });
    const options = {
      counter,
      format: request.format,
      form: request.recall?.form ?? config.recall.form,
      minScore,
      at: of.at,
    };
    const recalled = await readRecallResult(read, options);
    return isAsThen && of.sent ? onlySent(recalled, new Set(of.sent)) : recalled;
  }
}

const nothing: StandingView = { parts: [], asOf: 0, changesWaiting: false, isLeftToHost: false };

function questionOf({ query, place }: InputRecall): AskedQuestion | undefined {
  if (!place) return undefined;
  const where =
    place.at === 'end'
      ? ({ at: 'end' } as const)
      : ({ at: 'before', hostIndex: place.host_index, sequence: place.sequence } as const);
  return { query, earlier: [], key: '', place: where };
}
