import { fitMembers } from './fit-members.ts';
import type { AssembleInput, Choice } from './assemble-input.ts';
import type { Unit } from './build-units.ts';
import type { Candidate } from './candidate.ts';

/**
 * What holds for every strategy: standing messages and the newest unit are sent, a unit is sent whole or not at all, no
 * list is larger than the budget where that can be helped, and the conversation starts with a user message. A strategy
 * that sees to all this itself gets its choices back as they are.
 */
export function completeSelection(decided: ReadonlyMap<string, Choice>, input: AssembleInput): Choice[] {
  const selection = new OpenSelection(decided, input);
  selection.sendStanding();
  selection.sendUnitsWhole();
  selection.keepWithinBudget();
  selection.startAtUser();
  return [
    ...selection.choices(),
    ...input.unavailable.map(({ candidate, reason, scores, threshold }): Choice => ({
      candidate,
      action: 'dropped',
      reason,
      tokensAfter: 0,
      ...(scores === undefined ? {} : { scores }),
      ...(threshold === undefined ? {} : { threshold }),
    })),
  ];
}

class OpenSelection {
  readonly #choices: Map<string, Choice>;
  readonly #input: AssembleInput;

  constructor(decided: ReadonlyMap<string, Choice>, input: AssembleInput) {
    this.#choices = new Map(decided);
    this.#input = input;
  }

  choices(): Iterable<Choice> {
    return this.#choices.values();
  }

  sendStanding(): void {
    for (const candidate of this.#input.standing) {
      if (this.#choices.get(candidate.item)?.action !== 'included') this.#set(candidate, 'included', candidate.tokens);
    }
    for (const candidate of [...this.#input.hostSummaries, ...this.#input.summaries, ...this.#input.recalled]) {
      if (!this.#choices.has(candidate.item)) this.#set(candidate, 'dropped', 0);
    }
  }

  sendUnitsWhole(): void {
    const newest = this.#input.units.at(-1);
    for (const unit of this.#input.units) {
      const isWhole = unit.members.every((member) => this.#isSent(member));
      if (isWhole) continue;
      for (const member of unit.members) {
        if (unit === newest) this.#include(member);
        else if (this.#isSent(member) || !this.#choices.has(member.item)) this.#set(member, 'dropped', 0);
      }
    }
  }

  /** Takes recalled memories away first, then the oldest turns, then summaries, and cuts the newest unit last. */
  keepWithinBudget(): void {
    const { budget, units, standing, hostSummaries, summaries, recalled } = this.#input;
    const room = Math.max(0, budget - standing.reduce((sum, { tokens }) => sum + tokens, 0));
    let taken = 0;
    for (const choice of this.#choices.values()) taken += choice.tokensAfter;
    taken -= standing.reduce((sum, { item }) => sum + (this.#choices.get(item)?.tokensAfter ?? 0), 0);
    if (taken <= room) return;
    const sentSummaries = [...hostSummaries, ...[...summaries].reverse()].filter((candidate) =>
      this.#isSent(candidate),
    );
    // Without a user message in the conversation the newest summary has to stand for one.
    if (!units.some((unit) => unit.startsWithUser)) sentSummaries.pop();
    const oldestFirst: (readonly Candidate[])[] = [
      // All at once: the frame goes with them.
      ...(recalled.some((candidate) => this.#isSent(candidate)) ? [recalled] : []),
      ...units.slice(0, -1).map((unit) => unit.members),
      ...sentSummaries.map((candidate) => [candidate]),
    ];
    for (const members of oldestFirst) {
      if (taken <= room) return;
      for (const member of members) {
        taken -= this.#choices.get(member.item)?.tokensAfter ?? 0;
        if (this.#isSent(member)) this.#set(member, 'dropped', 0, 'over_budget');
      }
    }
    const newest = units.at(-1);
    if (newest && taken > room) this.#cut(newest, room);
  }

  startAtUser(): void {
    const { units, hostSummaries, summaries } = this.#input;
    if ([...hostSummaries, ...summaries].some((candidate) => this.#isSent(candidate))) return;
    const first = units.findIndex((unit) => this.#isUnitSent(unit));
    if (first === -1 || units[first]?.startsWithUser) return;
    const next = units.findIndex((unit, index) => index > first && unit.startsWithUser && this.#isUnitSent(unit));
    if (next === -1) {
      const before = units.slice(0, first).findLast((unit) => unit.startsWithUser);
      for (const member of before?.members ?? []) this.#set(member, 'included', member.tokens, 'anchor_user_turn');
      return;
    }
    for (const unit of units.slice(first, next)) {
      for (const member of unit.members) {
        if (this.#isSent(member)) this.#set(member, 'dropped', 0, 'window_starts_at_user');
      }
    }
  }

  #cut(unit: Unit, room: number): void {
    const limits = fitMembers(
      unit.members.map((member) => member.tokens),
      room,
    );
    unit.members.forEach((member, index) => {
      const limit = limits[index] ?? 0;
      this.#set(member, limit < member.tokens ? 'trimmed' : 'included', limit, 'oversized_newest');
    });
  }

  #include(candidate: Candidate): void {
    if (!this.#isSent(candidate)) this.#set(candidate, 'included', candidate.tokens, 'newest_turns');
  }

  #isUnitSent(unit: Unit): boolean {
    return unit.members[0] !== undefined && this.#isSent(unit.members[0]);
  }

  #isSent({ item }: Candidate): boolean {
    const choice = this.#choices.get(item);
    return choice !== undefined && choice.action !== 'dropped';
  }

  #set(
    candidate: Candidate,
    action: Choice['action'],
    tokensAfter: number,
    reason: Choice['reason'] = 'strategy_choice',
  ): void {
    this.#choices.set(candidate.item, { candidate, action, reason, tokensAfter });
  }
}
