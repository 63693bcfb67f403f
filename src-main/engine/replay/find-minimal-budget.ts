import type { DecisionAction, TraceDecision, TraceItem } from '../../../src-shared/model/trace.ts';
import type { MinimalBudgetReply } from '../../../src-shared/protocol/replay.ts';
import { competes } from '../assemble/slots.ts';
import type { CallReplayer, OpenedCall } from './call-replayer.ts';
import { noChanges } from './no-changes.ts';

/** Largest budget that is tried: what models take today, many times over (tokens). */
const largestBudget = 10_000_000;
/** Runs at most; from 128,000 tokens it takes about 25. */
const mostTries = 48;

interface Try {
  readonly budget: number;
  readonly isSent: boolean;
  readonly decision: TraceDecision | undefined;
}

/**
 * The least token budget with which a call would have sent an item: the budget is doubled until it does, then halved to
 * the token. A window may begin elsewhere with a larger budget; whether a larger one that was tried does without the item is told.
 */
export async function findMinimalBudget(
  replayer: CallReplayer,
  callId: string,
  item: string,
  whole: boolean,
): Promise<MinimalBudgetReply> {
  return replayer.alone(async () => {
    const opened = await replayer.open(callId);
    return new Search(replayer, opened, item, whole).run();
  });
}

class Search {
  readonly #replayer: CallReplayer;
  readonly #opened: OpenedCall;
  readonly #item: string;
  readonly #whole: boolean;
  readonly #tries = new Map<number, Try>();

  constructor(replayer: CallReplayer, opened: OpenedCall, item: string, whole: boolean) {
    this.#replayer = replayer;
    this.#opened = opened;
    this.#item = item;
    this.#whole = whole;
  }

  async run(): Promise<MinimalBudgetReply> {
    const recorded = this.#opened.unchanged.trace.token_budget;
    const first = this.#note(recorded, this.#opened.unchanged.trace);
    let high = first;
    while (!high.isSent && high.budget < largestBudget && this.#mayHelp(high)) {
      high = await this.#try(Math.min(largestBudget, Math.max(1_000, high.budget * 2)));
    }
    if (!high.isSent) return this.#reply('none', undefined);
    // The largest budget that did not do: what lies between it and the first one that did was not tried.
    const failed = [...this.#tries.values()].filter(({ isSent, budget }) => !isSent && budget < high.budget);
    let low = Math.max(0, ...failed.map(({ budget }) => budget));
    let least = high;
    while (least.budget - low > 1 && this.#tries.size < mostTries) {
      const middle = await this.#try(Math.floor((low + least.budget) / 2));
      if (middle.isSent) least = middle;
      else low = middle.budget;
    }
    return this.#reply(first.isSent ? 'sent' : 'found', least);
  }

  async #try(budget: number): Promise<Try> {
    const known = this.#tries.get(budget);
    if (known) return known;
    const { trace } = await this.#replayer.runWith(this.#opened, { ...noChanges, token_budget: budget });
    return this.#note(budget, trace);
  }

  #note(budget: number, trace: { items: readonly TraceItem[]; decisions: readonly TraceDecision[] }): Try {
    const decision = decisionAbout(this.#item, trace);
    const sent: readonly DecisionAction[] = this.#whole ? ['included'] : ['included', 'trimmed'];
    const tried = { budget, isSent: decision !== undefined && sent.includes(decision.action), decision };
    this.#tries.set(budget, tried);
    return tried;
  }

  /** What is left out for another reason than room, more room does not bring back. */
  #mayHelp({ decision }: Try): boolean {
    return decision === undefined || decision.action === 'trimmed' || !isHopeless(decision);
  }

  #reply(state: MinimalBudgetReply['state'], least: Try | undefined): MinimalBudgetReply {
    const tries = [...this.#tries.values()].sort((one, other) => one.budget - other.budget);
    const largest = tries.at(-1);
    const action = least?.decision?.action;
    return {
      item: this.#item,
      state,
      recorded_budget: this.#opened.trace.token_budget,
      ...(least === undefined ? {} : { token_budget: least.budget }),
      ...(action === 'included' || action === 'trimmed' ? { action } : {}),
      ...(least === undefined ? { reason: reasonOf(this.#item, largest) } : {}),
      tries: tries.map(({ budget, isSent }) => ({ token_budget: budget, sent: isSent })),
      exact: this.#opened.exact,
      notes: [...this.#opened.notes],
      is_monotone: least === undefined || tries.every(({ budget, isSent }) => isSent === budget >= least.budget),
    };
  }
}

/** More room does not bring back what asked for none, or what no provider would take. */
function isHopeless(decision: TraceDecision): boolean {
  return !competes(decision) || unsendable.has(decision.reason);
}

const unsendable: ReadonlySet<TraceDecision['reason']> = new Set([
  'orphan_tool_result',
  'orphan_tool_call',
  'blank_content',
]);

/** By name, by address, or as a turn within a range. */
function decisionAbout(
  name: string,
  { items, decisions }: { readonly items: readonly TraceItem[]; readonly decisions: readonly TraceDecision[] },
): TraceDecision | undefined {
  const sequence = Number(/^turn:(\d{1,16})$/.exec(name)?.[1] ?? NaN);
  const isIt = (item: TraceItem): boolean => item.item === name || item.uri === name;
  const holdsIt = (item: TraceItem): boolean =>
    item.count > 1 &&
    item.kind === 'raw_turn' &&
    (item.sequence ?? Infinity) <= sequence &&
    sequence <= (item.end_sequence ?? -1);
  const found = items.filter(isIt);
  const all = found.length > 0 ? found : items.filter(holdsIt);
  const about = decisions.filter((decision) => all.some((item) => item.item === decision.item));
  return about.find(({ action }) => action !== 'dropped') ?? about[0];
}

function reasonOf(item: string, largest: Try | undefined): NonNullable<MinimalBudgetReply['reason']> {
  const decision = largest?.decision;
  if (!decision) {
    return { code: 'not_a_candidate', message: `${item.slice(0, 200)} is none of what this call had to choose from.` };
  }
  const { reason, threshold, scores } = decision;
  const score = scores['score'];
  const numbers =
    threshold === undefined || score === undefined ? '' : ` (${score.toFixed(2)} against ${threshold.toFixed(2)})`;
  return {
    code: reason,
    message: isHopeless(decision)
      ? `It was left out for another reason than room: ${reason.replaceAll('_', ' ')}${numbers}.`
      : `Also with ${largest.budget} tokens it is left out: ${reason.replaceAll('_', ' ')}${numbers}.`,
  };
}
