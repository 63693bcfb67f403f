import type { AssembleTrace, TraceDecision, TraceItem } from '../../../../src-shared/model/trace.ts';
import type { WhereStep } from '../../../../src-shared/protocol/where.ts';

export type WindowStep = Extract<WhereStep, { readonly stage: 'window' }>;

/** Where something may be in a window. */
export interface Looked {
  /** The turn, and the addresses under which memory may bring it. */
  readonly sequence: number | undefined;
  readonly uris: ReadonlySet<string>;
  /** Ids of the checkpoints whose summaries still say it. */
  readonly saidBy: ReadonlySet<string>;
}

type Fate = Pick<WindowStep, 'state' | 'as' | 'item' | 'action' | 'reason'>;

interface Decided {
  readonly item: TraceItem;
  readonly decision: TraceDecision;
}

/** What one call did with it: the best of all forms that it could have had. */
export function fateIn(trace: Pick<AssembleTrace, 'items' | 'decisions'>, looked: Looked): Fate {
  const decisions = new Map(trace.decisions.map((decision) => [decision.item, decision]));
  const decided = trace.items.flatMap((item): Decided[] => {
    const decision = decisions.get(item.item);
    return decision ? [{ item, decision }] : [];
  });
  const turn = decided.filter(({ item }) => isTurn(item, looked.sequence));
  const summaries = decided.filter(
    ({ item }) => item.kind === 'summary' && looked.saidBy.has(item.item.replace(/^checkpoint:/, '')),
  );
  const memories = decided.filter(
    ({ item }) => item.source === 'engine' && item.uri !== undefined && looked.uris.has(item.uri),
  );
  const ways = [
    ['turn', turn],
    ['summary', summaries],
    ['memory', memories],
  ] as const;
  for (const [as, found] of ways) {
    const sent = found.find(({ decision }) => decision.action !== 'dropped');
    if (!sent) continue;
    const { action, reason } = sent.decision;
    // The abstract of a checkpoint stands for an overview, which may have said more.
    return { state: action === 'trimmed' ? 'trimmed' : 'kept', as, item: sent.item.item, action, reason };
  }
  const [left] = [...turn, ...memories, ...summaries];
  if (!left) return { state: 'absent', as: 'nothing' };
  const { action, reason } = left.decision;
  return { state: 'lost', as: 'nothing', item: left.item.item, action, reason };
}

function isTurn({ sequence, end_sequence, count, kind, item }: TraceItem, wanted: number | undefined): boolean {
  if (wanted === undefined || sequence === undefined || kind === 'summary') return false;
  if (item.startsWith('recall:')) return false;
  return count === 1 ? sequence === wanted : sequence <= wanted && wanted <= (end_sequence ?? sequence);
}

/** Calls, newest first, as steps: those of the same fate in a row are one. */
export function windowSteps(
  calls: readonly { readonly callId: string; readonly at: string; readonly fate: Fate }[],
): WindowStep[] {
  const steps: WindowStep[] = [];
  for (const { callId, at, fate } of calls) {
    const last = steps.at(-1);
    if (last && last.state === fate.state && last.as === fate.as && last.reason === fate.reason) {
      steps[steps.length - 1] = { ...last, calls: last.calls + 1 };
      continue;
    }
    steps.push({ stage: 'window', ...fate, call_id: callId, at, calls: 1, message: '' });
  }
  return steps.map((step) => ({ ...step, message: sentence(step) }));
}

function sentence({ state, as, calls, reason }: WindowStep): string {
  const where = calls === 1 ? 'In one call' : `In ${calls} calls in a row`;
  const words = reason?.replaceAll('_', ' ') ?? '';
  switch (state) {
    case 'kept':
      return `${where} it was sent${as === 'turn' ? ' as it is' : as === 'summary' ? ' in a summary' : ' as memory'}.`;
    case 'trimmed':
      return `${where} it was sent in a shorter form (${words}).`;
    case 'lost':
      return `${where} it was left out: ${words}.`;
    case 'absent':
      return `${where} it was none of what could be sent.`;
  }
}
