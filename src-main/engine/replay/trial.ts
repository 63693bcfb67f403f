import type { ReplayNote } from '../../../src-shared/protocol/replay.ts';

/** What a person wants sent or left out in a replay, by the item's name or its URI; notes what cannot be done. */
export class Trial {
  readonly #pins: ReadonlySet<string>;
  readonly #excluded: ReadonlySet<string>;
  readonly #met = new Set<string>();
  readonly #notes: ReplayNote[] = [];

  constructor(pins: readonly string[], excluded: readonly string[]) {
    this.#pins = new Set(pins);
    this.#excluded = new Set(excluded);
  }

  get isEmpty(): boolean {
    return this.#pins.size + this.#excluded.size === 0;
  }

  isPinned(names: Names): boolean {
    return this.#meets(this.#pins, names);
  }

  isExcluded(names: Names): boolean {
    return this.#meets(this.#excluded, names);
  }

  refuse(item: string, message: string): void {
    if (this.#notes.every((note) => note.item !== item)) this.#notes.push({ code: 'pin_refused', item, message });
  }

  notes(): readonly ReplayNote[] {
    const missed = [...this.#pins, ...this.#excluded].filter((name) => !this.#met.has(name));
    return [
      ...this.#notes,
      ...missed.map((item): ReplayNote => ({
        code: 'not_a_candidate',
        item,
        message: `${item} is none of what this call decides about one by one: older turns come as a range, and turns under a checkpoint through its summary.`,
      })),
    ];
  }

  #meets(names: ReadonlySet<string>, { item, uri }: Names): boolean {
    if (names.size === 0) return false;
    const isMet = (name: string | undefined): boolean => {
      if (name === undefined || !names.has(name)) return false;
      this.#met.add(name);
      return true;
    };
    // Both, so that neither name is told to be missed.
    return [isMet(item), isMet(uri)].includes(true);
  }
}

interface Names {
  readonly item: string;
  readonly uri?: string | undefined;
}
