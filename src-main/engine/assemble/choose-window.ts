import type { Unit } from './build-units.ts';

export interface WindowInput {
  readonly units: readonly Unit[];
  /** Tokens that the window may take. */
  readonly budget: number;
  /** Newest messages that the window holds if they fit. */
  readonly recentCount: number;
  /** A user message stands before the window, so that it may start with any role. */
  readonly userBefore: boolean;
  /** There are older turns than the first unit. */
  readonly hasOlder: boolean;
  /** The window starts here or later; what is before is known in part only. */
  readonly earliest: number;
  /** Tokens by which the start moves at once; see `windowStep`. */
  readonly step: number;
}

export interface Window {
  /** Index of the first unit of the window; the newest unit is always in it. */
  readonly start: number;
  /** An older user message that is sent before the window, because the window itself does not start with one. */
  readonly anchor: { readonly index: number; readonly limit: number } | undefined;
  /** Tokens that the newest unit is cut to, where it alone is too large. */
  readonly newestLimit: number | undefined;
  /** First unit that fitted; those between it and `start` were left out so that the window starts with a user. */
  readonly fitsFrom: number;
}

/** Share of the budget that a user message before the window may take. */
const anchorShare = 0.25;

/** Below this a message cannot be cut, since the note that says so takes some itself (tokens). */
const leastCut = 120;

/**
 * The start moves in steps of a quarter of the budget's power of two: between two steps the conversation grows at its
 * end only, so that the list keeps its prefix and the provider's prompt cache holds. The price is that right after a
 * step up to a quarter of the budget stays free.
 */
export function windowStep(budget: number): number {
  return Math.max(1, 2 ** Math.floor(Math.log2(Math.max(budget, 4))) / 4);
}

/**
 * The newest units that fit. The start depends on nothing but the conversation and the budget, so equal inputs give
 * equal windows; and it is measured on the whole log, so that it does not matter from where on the log was looked at.
 */
export function chooseWindow(input: WindowInput): Window {
  const { units, budget } = input;
  const newest = units.length - 1;
  if (newest < 0) return { start: 0, anchor: undefined, newestLimit: undefined, fitsFrom: 0 };
  const positions = positionsOf(units);
  const fitsFrom = startWithin(input, positions, budget);
  if (input.userBefore || units[fitsFrom]?.startsWithUser || !units.some((unit) => unit.startsWithUser)) {
    return settled(input, { start: fitsFrom, fitsFrom }, budget);
  }
  return startAtUser(input, positions, fitsFrom);
}

/** Where the units stand in the whole conversation, in tokens; never falling, whatever order a host's list is in. */
function positionsOf(units: readonly Unit[]): number[] {
  let end = 0;
  return units.map((unit) => {
    const position = Math.max(end, unit.members[0]?.position ?? end);
    end = position + unit.tokens;
    return position;
  });
}

function startWithin(input: WindowInput, positions: readonly number[], budget: number): number {
  const stepped = steppedStart(input, positions, budget);
  return Math.min(stepped, recentStart(input, budget), input.units.length - 1);
}

/** The first start on the grid of steps from which on everything fits. */
function steppedStart(input: WindowInput, positions: readonly number[], budget: number): number {
  const { units, hasOlder, earliest, step } = input;
  let first = units.length;
  let tokens = 0;
  while (first > earliest && tokens + (units[first - 1]?.tokens ?? 0) <= budget) {
    first -= 1;
    tokens += units[first]?.tokens ?? 0;
  }
  if (first === 0 && !hasOlder) return 0;
  // Where all that is known fits, the first of it is where it is by chance.
  const tooOld = first > earliest ? positions[first - 1] : undefined;
  const from = tooOld === undefined ? (positions[first] ?? 0) : tooOld + 1;
  // What fits may span less than a step, where a host describes a part of its list only: then the steps are finer.
  for (let size = step; size >= step / finest; size /= 2) {
    const cut = Math.ceil(from / size) * size;
    const start = positions.findIndex((position, index) => index >= first && position >= cut);
    if (start !== -1) return start;
  }
  return units.length;
}

/** Parts of a step below which the start would move with each message. */
const finest = 64;

/** Start of the newest `recentCount` messages, or of as many of the newest units as fit. */
function recentStart({ units, recentCount, earliest }: WindowInput, budget: number): number {
  let start = units.length;
  let messages = 0;
  let tokens = 0;
  while (start > earliest && messages < recentCount) {
    const unit = units[start - 1];
    if (!unit || tokens + unit.tokens > budget) break;
    tokens += unit.tokens;
    messages += unit.members.length;
    start -= 1;
  }
  return start;
}

/**
 * The next user message where little is lost by it and none of the newest messages; else the user message that the
 * window answers goes before it: a long tool loop has its only user message far from its end.
 */
function startAtUser(input: WindowInput, positions: readonly number[], fitsFrom: number): Window {
  const { units, budget, step } = input;
  const next = units.findIndex((unit, index) => index >= fitsFrom && unit.startsWithUser);
  const lost = next === -1 ? Infinity : (positions[next] ?? 0) - (positions[fitsFrom] ?? 0);
  const anchor = units.findLastIndex((unit, index) => index < fitsFrom && unit.startsWithUser);
  const anchorTokens = units[anchor]?.tokens ?? 0;
  const share = Math.floor(budget * anchorShare);
  const isCuttable = share >= leastCut;
  const limit = isCuttable ? Math.min(anchorTokens, share) : anchorTokens;
  const mayAnchor = anchor !== -1 && (anchorTokens <= share || isCuttable || next === -1);
  if (!mayAnchor || (lost <= step && next <= recentStart(input, budget))) {
    return settled(input, { start: next, fitsFrom }, budget);
  }
  const start = startWithin(input, positions, budget - limit);
  if (units[start]?.startsWithUser) return settled(input, { start, fitsFrom }, budget);
  return { ...settled(input, { start, fitsFrom }, budget - limit), anchor: { index: anchor, limit } };
}

function settled(input: WindowInput, at: Pick<Window, 'start' | 'fitsFrom'>, budget: number): Window {
  const tooLarge = (input.units.at(-1)?.tokens ?? 0) > budget;
  return { ...at, anchor: undefined, newestLimit: tooLarge ? Math.max(0, budget) : undefined };
}
