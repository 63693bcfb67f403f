import type { PageHead } from '../../../src-shared/model/memory-page.ts';
import type { MemoryScope } from '../../../src-shared/model/memory-scope.ts';
import type { MemoryPages } from '../ports/memory-pages.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { ownPages } from './own-pages.ts';

export interface Profile {
  readonly text: string;
  readonly uris: readonly string[];
}

/** A preference that was said in so many places stands. */
const reinforcedBy = 2;

/**
 * Who the user is, and the preferences that stand: pinned ones, and those that come from more than one source. What
 * does not fit is found by recall.
 */
export async function readProfile(
  pages: MemoryPages,
  counter: TokenCounter,
  scope: MemoryScope,
  maxTokens: number,
): Promise<Profile | undefined> {
  if (maxTokens === 0 || scope.access === 'none') return undefined;
  const profiles = await ownPages(pages, 'profile', scope);
  const preferences = (await ownPages(pages, 'preference', scope)).filter(isStable).sort(byStanding);
  const room = new Room(counter, maxTokens);
  for (const { uri } of profiles) {
    const page = await pages.find(uri);
    if (page && !page.problem) await room.addText(page.truth.replace(/^# .*\n+/, '').trim(), uri);
  }
  for (const head of preferences) await room.addLine(`- ${head.title}: ${head.abstract.trim()}`, head.uri);
  return room.taken;
}

function isStable({ pinned, sources, abstract }: PageHead): boolean {
  return (pinned || sources.length >= reinforcedBy) && abstract.trim() !== '';
}

function byStanding(a: PageHead, b: PageHead): number {
  return Number(b.pinned) - Number(a.pinned) || b.sources.length - a.sources.length || byUri(a, b);
}

function byUri(a: PageHead, b: PageHead): number {
  return a.uri < b.uri ? -1 : a.uri > b.uri ? 1 : 0;
}

/** Texts up to a number of tokens. */
class Room {
  readonly #counter: TokenCounter;
  readonly #texts: string[] = [];
  readonly #uris: string[] = [];
  #left: number;

  constructor(counter: TokenCounter, most: number) {
    this.#counter = counter;
    this.#left = most;
  }

  get taken(): Profile | undefined {
    return this.#texts.length === 0 ? undefined : { text: this.#texts.join('\n'), uris: this.#uris };
  }

  async addLine(line: string, uri: string): Promise<void> {
    const text = line.replace(/\s+/gu, ' ');
    const tokens = (await this.#counter.text(text)) + 1;
    if (tokens > this.#left) return;
    this.#left -= tokens;
    this.#texts.push(text);
    this.#uris.push(uri);
  }

  /** Cut at a line where it is too long. */
  async addText(text: string, uri: string): Promise<void> {
    const fitting: string[] = [];
    for (const line of text.slice(0, longestText).split('\n')) {
      const tokens = (await this.#counter.text(line)) + 1;
      if (tokens > this.#left) break;
      this.#left -= tokens;
      fitting.push(line);
    }
    if (fitting.join('').trim() === '') return;
    this.#texts.push(fitting.join('\n').trimEnd());
    this.#uris.push(uri);
  }
}

/** Characters of a profile that are looked at: far more than the tokens it may take. */
const longestText = 100_000;
