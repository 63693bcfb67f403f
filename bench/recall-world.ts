import type { MemoryScope } from '../src-shared/model/memory-scope.ts';
import type { IndexedPage, IndexedTurn } from '../src-main/engine/ports/memory-index.ts';
import type { MemoryIndexWriter } from '../src-main/engine/ports/memory-index-writer.ts';

export const pages = 20_000;
export const turns = 100_000;
const turnsPerSession = 500;
export const at = Date.parse('2026-11-01T12:00:00Z');

export const scope: MemoryScope = {
  accountId: 'local',
  userId: 'default',
  agentId: 'main',
  sessionUid: 'session-0',
  otherSessions: true,
  access: 'all',
  labels: undefined,
};

export async function putPages(index: MemoryIndexWriter, words: Words): Promise<void> {
  for (let start = 0; start < pages; start += 64) {
    await index.putPages(
      Array.from({ length: Math.min(64, pages - start) }, (_, offset) => page(start + offset, words)),
    );
  }
}

function page(number: number, words: Words): IndexedPage {
  return {
    uri: `strata://user/default/memories/entities/page-${number}`,
    owner: {
      accountId: 'local',
      userId: 'default',
      agentId: undefined,
      sessionUid: undefined,
      visibility: 'private',
      labels: [],
    },
    kind: 'entity',
    status: 'active',
    pinned: false,
    title: words.text(3),
    aliases: [words.text(2)],
    tags: [],
    levels: { abstract: words.text(20), overview: words.text(80), text: words.text(200) },
    links: [
      { to: `strata://user/default/memories/entities/page-${(number * 7) % pages}`, type: 'mentions', origin: 'text' },
    ],
    contentHash: String(number),
    version: 1,
    updatedAt: at - number * 60_000,
  };
}

export async function putTurns(index: MemoryIndexWriter, words: Words): Promise<void> {
  for (let start = 0; start < turns; start += turnsPerSession) {
    const sessionUid = `session-${start / turnsPerSession}`;
    const rows = Array.from({ length: turnsPerSession }, (_, offset): IndexedTurn => {
      const sequence = offset + 1;
      return {
        uri: `strata://session/default/${sessionUid}/turn/${sequence}`,
        source: 'turn',
        owner: {
          accountId: 'local',
          userId: 'default',
          agentId: 'main',
          sessionUid,
          visibility: 'private',
          labels: [],
        },
        sessionUid,
        epoch: 0,
        sequence,
        role: offset % 2 === 0 ? 'user' : 'assistant',
        speaker: '',
        at: at - (turns - start - offset) * 1_000,
        text: words.text(40),
      };
    });
    await index.putTurns(rows, { sessionUid, sequence: turnsPerSession, checkpoints: '' });
  }
}

/** Texts by a fixed sequence of numbers, so that every run has the same ones. */
export class Words {
  readonly #cumulated: number[] = [];
  #seed = 1;
  readonly #common = new Set(Array.from({ length: 100 }, (_, rank) => nameOf(rank)));
  #last: string[] = [];

  constructor(count = 30_000) {
    let sum = 0;
    for (let rank = 1; rank <= count; rank += 1) this.#cumulated.push((sum += 1 / rank));
  }

  text(length: number): string {
    const words = Array.from({ length }, () => this.#word());
    this.#last = words;
    return words.join(' ');
  }

  /** Five words of a text: common ones and rare ones, as they come. */
  question(): string {
    this.text(40);
    return `What about ${[...new Set(this.#last)].slice(0, 5).join(' ')}?`;
  }

  /**
   * As people ask: about half of the words of a text are so common that they are stop words, and those are not searched
   * for. Here the hundred most frequent of the others are left out, which make up half of a text.
   */
  plainQuestion(): string {
    this.text(40);
    const words = [...new Set(this.#last)].filter((word) => !this.#common.has(word));
    return `What about ${words.slice(0, 5).join(' ')}?`;
  }

  #word(): string {
    const wanted = this.#next() * (this.#cumulated.at(-1) ?? 1);
    let [low, high] = [0, this.#cumulated.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#cumulated[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return nameOf(low);
  }

  /** Park and Miller's generator. */
  #next(): number {
    this.#seed = (this.#seed * 48_271) % 0x7fffffff;
    return this.#seed / 0x7fffffff;
  }
}

function nameOf(rank: number): string {
  return names[rank] ?? `word${rank.toString(36)}`;
}

/** The most frequent words are real ones, so that the small embedder knows some. */
const names: readonly string[] =
  'database server meeting project deploy review customer budget release schedule garden coffee travel family music paper school doctor winter summer bridge window orange silver mountain river market engine letter bottle'.split(
    ' ',
  );
