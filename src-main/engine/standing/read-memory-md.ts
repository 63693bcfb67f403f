import type { MemoryPage } from '../../../src-shared/model/memory-page.ts';
import { isLineOfOthers } from '../memory/access/is-line-of-others.ts';
import type { MemoryPages } from '../ports/memory-pages.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';

/** MEMORY.md as it is sent: whole while it is small, else its index lines (spec §5.3). */
export interface MemoryMd {
  readonly mode: 'direct' | 'rag';
  readonly text: string;
  readonly uri: string;
}

export interface MemoryMdOptions {
  readonly userId: string;
  readonly agentId: string;
  readonly directMaxTokens: number;
  readonly indexMaxTokens: number;
}

/** By its exact name, then the older one. */
const names = ['MEMORY', 'memory'] as const;

/** Contents that are remembered, so that an unchanged file is not read into lines again. */
const heldContents = 100;

export class MemoryMdReader {
  readonly #pages: MemoryPages;
  readonly #counter: TokenCounter;
  readonly #read = new Map<string, MemoryMd | undefined>();

  constructor(pages: MemoryPages, counter: TokenCounter) {
    this.#pages = pages;
    this.#counter = counter;
  }

  async find(): Promise<MemoryPage | undefined> {
    for (const name of names) {
      const page = await this.#pages.find(`strata://resources/${name}`);
      if (page && page.path === `${name}.md`) return page;
    }
    return undefined;
  }

  /** @returns undefined when there is nothing in it for this user */
  async read(page: MemoryPage, options: MemoryMdOptions): Promise<MemoryMd | undefined> {
    const key = JSON.stringify([page.uri, page.content_hash, options]);
    if (this.#read.has(key)) return this.#read.get(key);
    const made = await this.#make(page, options);
    this.#read.set(key, made);
    const oldest = this.#read.size > heldContents ? this.#read.keys().next().value : undefined;
    if (oldest !== undefined) this.#read.delete(oldest);
    return made;
  }

  async #make(page: MemoryPage, options: MemoryMdOptions): Promise<MemoryMd | undefined> {
    const lines = bodyLines(page.content).filter((line) => !isLineOfOthers(line, options));
    const whole = lines.join('\n').trim();
    if (whole === '') return undefined;
    if ((await this.#counter.text(whole)) < options.directMaxTokens) {
      return { mode: 'direct', text: whole, uri: page.uri };
    }
    const index = lines.filter((line) => indexLine.test(line));
    const text = await this.#fitting(index, options.indexMaxTokens);
    return { mode: 'rag', text, uri: page.uri };
  }

  /** As many lines from the top as fit, and how many there are besides. */
  async #fitting(lines: readonly string[], most: number): Promise<string> {
    const counts = await this.#counter.texts(lines.map((line) => `${line}\n`));
    let left = most;
    const fitting: string[] = [];
    for (const [at, line] of lines.entries()) {
      left -= counts[at] ?? 0;
      if (left < 0) break;
      fitting.push(line);
    }
    const more = lines.length - fitting.length;
    const rest = more === 0 ? 'The rest of MEMORY.md' : `${more} more entries, and the rest of MEMORY.md,`;
    return [...fitting, `(${rest} can be found with memory_recall.)`].join('\n');
  }
}

/** `- [title](path) — abstract`. */
const indexLine = /^\s{0,6}[-*+] \[(?:\\.|[^\]\\\n])+\]\([^)\n]+\)/;

/** Without front matter and our markers. */
function bodyLines(content: string): string[] {
  const lines = content.replace(/^\ufeff/, '').split(/\r?\n/);
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
  return lines.slice(end + 1).filter((line) => !/^<!-- ?strata:.{0,200}-->$/.test(line.trim()));
}
