import type { Unit } from './build-units.ts';

export interface WindowInput {
  readonly units: readonly Unit[];
  /** Tokens of conversation before the first unit. */
  readonly tokensBefore: number;
  /** Tokens that the window may take. */
  readonly budget: number;
  /** Newest messages that the window holds if they fit. */
  readonly recentCount: number;
  /** A user message stands before the window, so that it may start with any role. */
  readonly userBefore: boolean;
}

export interface Window {
  /** Index of the first unit of the window; `units.length` when not even the newest fits. */
  readonly start: number;
  /** An older user message that is sent before the window, because the window itself does not start with one. */
  readonly anchor: number | undefined;
  /** First unit that fitted; those between it and `start` were left out so that the window starts with a user. */
  readonly fitsFrom: number;
  /** Tokens by which the start moves at once. */
  readonly step: number;
}

/**
 * The newest units that fit, cut at a start that moves in steps of a quarter of the budget's power of two. Between two
 * steps the conversation grows at its end only, so that the list keeps its prefix and the provider's prompt cache
 * holds; the price is that right after a step up to a quarter of the budget stays free. The start depends on nothing
 * but the tokens of the conversation and the budget, so equal inputs give equal windows.
 */
export function chooseWindow(input: WindowInput): Window {
  const { units, budget } = input;
  const step = Math.max(1, 2 ** Math.floor(Math.log2(Math.max(budget, 4))) / 4);
  const positions = positionsOf(units, input.tokensBefore);
  const total = (positions.at(-1) ?? input.tokensBefore) + (units.at(-1)?.tokens ?? 0);
  const fitsFrom = Math.min(steppedStart(positions, total, budget, step), recentStart(input));
  if (input.userBefore || units[fitsFrom] === undefined || units[fitsFrom].startsWithUser) {
    return { start: fitsFrom, anchor: undefined, fitsFrom, step };
  }
  return startAtUser(input, positions, fitsFrom, step);
}

function positionsOf(units: readonly Unit[], before: number): number[] {
  let position = before;
  return units.map((unit) => {
    const start = position;
    position += unit.tokens;
    return start;
  });
}

function steppedStart(positions: readonly number[], total: number, budget: number, step: number): number {
  if (total <= budget) return 0;
  const cut = Math.ceil((total - budget) / step) * step;
  const start = positions.findIndex((position) => position >= cut);
  return start === -1 ? positions.length : start;
}

/** Start of the newest `recentCount` messages, or of as many of the newest units as fit. */
function recentStart({ units, budget, recentCount }: WindowInput): number {
  let start = units.length;
  let messages = 0;
  let tokens = 0;
  while (start > 0 && messages < recentCount) {
    const unit = units[start - 1];
    if (!unit || tokens + unit.tokens > budget) break;
    tokens += unit.tokens;
    messages += unit.members.length;
    start -= 1;
  }
  return start;
}

function startAtUser(input: WindowInput, positions: readonly number[], fitsFrom: number, step: number): Window {
  const { units, budget } = input;
  const next = units.findIndex((unit, index) => index >= fitsFrom && unit.startsWithUser);
  const lost = next === -1 ? Infinity : (positions[next] ?? 0) - (positions[fitsFrom] ?? 0);
  // A long tool loop has its only user message far from its end: then that message goes before the window instead.
  if (lost <= step) return { start: next, anchor: undefined, fitsFrom, step };
  const anchor = findLastUser(units, fitsFrom);
  const anchorTokens = anchor === undefined ? Infinity : (units[anchor]?.tokens ?? Infinity);
  let start = fitsFrom;
  let tokens = units.slice(start).reduce((sum, unit) => sum + unit.tokens, 0);
  while (start < units.length && tokens + anchorTokens > budget) tokens -= units[start++]?.tokens ?? 0;
  if (anchor !== undefined && start < units.length) return { start, anchor, fitsFrom, step };
  return { start: next === -1 ? fitsFrom : next, anchor: undefined, fitsFrom, step };
}

function findLastUser(units: readonly Unit[], before: number): number | undefined {
  for (let index = before - 1; index >= 0; index -= 1) if (units[index]?.startsWithUser) return index;
  return undefined;
}
