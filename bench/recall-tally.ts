interface Answer {
  readonly dialogs: readonly string[];
  readonly sessions: readonly string[];
  readonly wantedDialogs: readonly string[];
  readonly wantedSessions: readonly string[];
}

interface Sums {
  n: number;
  readonly dialog: Map<number, number>;
  readonly session: Map<number, number>;
}

const dialogDepths = [5, 10, 25, 50];
const sessionDepths = [5, 10];

/** Recall at k, averaged over questions, for all of them and for groups. Percentages with one decimal. */
export class RecallTally {
  readonly #all = empty();
  readonly #groups = new Map<string, Sums>();

  add(answer: Answer, groups: readonly string[]): void {
    for (const group of groups) if (!this.#groups.has(group)) this.#groups.set(group, empty());
    for (const sums of [this.#all, ...groups.map((group) => this.#groups.get(group) ?? empty())]) {
      sums.n += 1;
      for (const k of dialogDepths) increase(sums.dialog, k, share(answer.dialogs, answer.wantedDialogs, k));
      for (const k of sessionDepths) increase(sums.session, k, share(answer.sessions, answer.wantedSessions, k));
    }
  }

  result(): Record<string, unknown> {
    const groups = [...this.#groups].sort(([one], [other]) => (one < other ? -1 : 1));
    return {
      ...described(this.#all),
      groups: Object.fromEntries(groups.map(([name, sums]) => [name, described(sums)])),
    };
  }
}

function described({ n, dialog, session }: Sums): Record<string, unknown> {
  const percentages = (sums: ReadonlyMap<number, number>): Record<string, number> =>
    Object.fromEntries([...sums].map(([k, sum]) => [`r${k}`, Math.round((1_000 * sum) / n) / 10]));
  return { n, dialog: percentages(dialog), session: percentages(session) };
}

function share(ranked: readonly string[], wanted: readonly string[], k: number): number {
  const top = new Set(ranked.slice(0, k));
  return wanted.filter((id) => top.has(id)).length / wanted.length;
}

function increase(sums: Map<number, number>, k: number, by: number): void {
  sums.set(k, (sums.get(k) ?? 0) + by);
}

function empty(): Sums {
  return { n: 0, dialog: new Map(), session: new Map() };
}
