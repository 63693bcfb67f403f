import type { TokenCounter } from '../tokens/token-counter.ts';
import type { SourceTurn } from './summariser.ts';
import { turnFrameTokens } from './write-prompt.ts';

/** How much of a turn is worth its room when there is too little: what users say most, results of tools least. */
const roleWeight = { user: 4, assistant: 2, system: 1, tool: 1 } as const;

/** A turn shortened to less says nothing any more (tokens); rather some turns are left out. */
const shortest = 16;

export interface FittedTurn {
  readonly turn: SourceTurn;
  /** With what the prompt puts around it. */
  readonly tokens: number;
}

/**
 * The turns within a number of tokens: long ones lose their middle first, the longest most; where that is not enough
 * tool results are left out, then answers, then what users said, the oldest of each first.
 */
export async function fitTurns(
  turns: readonly SourceTurn[],
  budget: number,
  counter: TokenCounter,
): Promise<readonly FittedTurn[]> {
  const costs = await counter.texts(turns.map(({ text }) => text));
  const all = turns.map((turn, index) => ({ turn, cost: costs[index] ?? 0 }));
  const kept = leaveOut(all, budget);
  const room = budget - kept.length * turnFrameTokens;
  const cap = largestCap(kept, room);
  return kept.map(({ turn, cost }) => {
    const limit = Math.max(shortest, cap * roleWeight[turn.role]);
    if (cost <= limit) return { turn, tokens: cost + turnFrameTokens };
    return { turn: { ...turn, text: cutMiddle(turn.text, limit / cost) }, tokens: limit + turnFrameTokens };
  });
}

interface Counted {
  readonly turn: SourceTurn;
  readonly cost: number;
}

function leaveOut(all: readonly Counted[], budget: number): readonly Counted[] {
  const least = ({ cost }: Counted): number => Math.min(cost, shortest) + turnFrameTokens;
  let total = all.reduce((sum, one) => sum + least(one), 0);
  if (total <= budget) return all;
  const order = [...all].sort(
    (a, b) => roleWeight[a.turn.role] - roleWeight[b.turn.role] || a.turn.sequence - b.turn.sequence,
  );
  const dropped = new Set<Counted>();
  for (const one of order) {
    if (total <= budget || dropped.size === all.length - 1) break;
    dropped.add(one);
    total -= least(one);
  }
  return all.filter((one) => !dropped.has(one));
}

/** The largest number of tokens, times the weight of its role, that every turn may have. */
function largestCap(turns: readonly Counted[], room: number): number {
  const needed = (cap: number): number =>
    turns.reduce((sum, { turn, cost }) => sum + Math.min(cost, Math.max(shortest, cap * roleWeight[turn.role])), 0);
  let low = 0;
  let high = Math.max(1, ...turns.map(({ cost }) => cost));
  if (needed(high) <= room) return high;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (needed(middle) <= room) low = middle;
    else high = middle;
  }
  return low;
}

/** Keeps the beginning and, a little less, the end. */
export function cutMiddle(text: string, share: number): string {
  const keep = Math.max(8, Math.floor(text.length * share) - 5);
  if (keep >= text.length) return text;
  const head = Math.ceil(keep * 0.65);
  return `${text.slice(0, head).toWellFormed()} […] ${text.slice(text.length - (keep - head)).toWellFormed()}`;
}
