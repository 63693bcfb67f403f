import { EngineError } from '../../../../src-shared/model/engine-error.ts';
import type { AbstractRule } from '../pages/grammar/summarise-truth.ts';
import type { MemoryKind } from './memory-kind.ts';

/** The kinds of one data directory, in a fixed order. */
export class MemoryKinds {
  readonly #byName: ReadonlyMap<string, MemoryKind>;

  /** Of two with the same name the later one holds: a data directory may replace what the product brings. */
  constructor(kinds: readonly MemoryKind[]) {
    this.#byName = new Map(kinds.map((kind) => [kind.name, kind]));
  }

  get all(): readonly MemoryKind[] {
    return [...this.#byName.values()];
  }

  find(name: string | undefined): MemoryKind | undefined {
    return name === undefined ? undefined : this.#byName.get(name);
  }

  /** @throws EngineError `invalid_request` */
  require(name: string): MemoryKind {
    const kind = this.#byName.get(name);
    if (kind) return kind;
    throw new EngineError(
      'invalid_request',
      `There is no kind of memory ${JSON.stringify(name.slice(0, 100))}; there are ${[...this.#byName.keys()].join(', ')}.`,
    );
  }

  /** By the folder that the page lies in: `preferences/theme`, or the name of a page that is the only one of its kind. */
  ofPath(inside: string): MemoryKind | undefined {
    let best: MemoryKind | undefined;
    for (const kind of this.#byName.values()) {
      const single = [kind.folder, kind.single].filter((part) => part !== '').join('/');
      if (kind.single !== undefined && single === inside) return kind;
      const isInside = kind.folder !== '' && inside.startsWith(`${kind.folder}/`);
      if (isInside && (best === undefined || kind.folder.length > best.folder.length)) best = kind;
    }
    return best;
  }

  abstractRule(name: string | undefined): AbstractRule {
    return this.find(name)?.abstract ?? 'first_paragraph';
  }
}
