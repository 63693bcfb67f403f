/** What a model filled in. Models fill in what they do not mean, too: empty texts and zeros count as left out. */
export class ToolParams {
  readonly #given: Readonly<Record<string, unknown>>;

  constructor(params: unknown) {
    this.#given = typeof params === 'object' && params !== null ? (params as Readonly<Record<string, unknown>>) : {};
  }

  text(name: string): string | undefined {
    const value = this.#given[name];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  }

  whole(name: string, min: number, max: number): number | undefined {
    const value = this.#given[name];
    return typeof value === 'number' && value >= 1 ? Math.min(max, Math.max(min, Math.floor(value))) : undefined;
  }

  texts(name: string): string[] | undefined {
    const value = this.#given[name];
    const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
    const texts = list.flatMap((entry) => (typeof entry === 'string' && entry.trim() !== '' ? [entry.trim()] : []));
    return texts.length === 0 ? undefined : texts;
  }
}
