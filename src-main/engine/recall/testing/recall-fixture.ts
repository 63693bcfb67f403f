import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { MemoryScope } from '../../../../src-shared/model/memory-scope.ts';
import type { RecallResult } from '../../../../src-shared/model/recall.ts';
import { pageUri, turnUri } from '../../../../src-shared/model/uri.ts';
import { openInlineIndex } from '../../../index/open-inline-index.ts';
import { createInlineTokenizer } from '../../../providers/tokenizer/create-inline-tokenizer.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { IndexedPage, IndexedTurn, MemoryIndex } from '../../ports/memory-index.ts';
import type { MemoryIndexWriter } from '../../ports/memory-index-writer.ts';
import type { RecallRequest } from '../../ports/recall.ts';
import { TokenCounter } from '../../tokens/token-counter.ts';
import { createRecall } from '../create-recall.ts';

/** 1 June 2026, noon UTC. */
export const testNow = Date.UTC(2026, 5, 1, 12);

export const testScope: MemoryScope = {
  ...{ accountId: 'local', userId: 'lin', agentId: 'main', sessionUid: undefined },
  ...{ otherSessions: true, access: 'all', labels: undefined },
};

export interface PageGiven {
  readonly path: string;
  readonly title: string;
  readonly text?: string;
  readonly abstract?: string;
  readonly aliases?: readonly string[];
  readonly kind?: string;
  readonly user?: string;
  readonly labels?: readonly string[];
  readonly status?: IndexedPage['status'];
  readonly pinned?: boolean;
  readonly visibility?: 'private' | 'shared';
  readonly links?: IndexedPage['links'];
  readonly updatedAt?: number;
}

export function testUri(path: string, user = 'lin'): string {
  return pageUri({ owner: 'user', userId: user, path });
}

export function testPage(given: PageGiven): IndexedPage {
  const { path, title, text = title, abstract = '', user = 'lin', visibility = 'private' } = given;
  return {
    uri: testUri(path, user),
    owner: {
      ...{ accountId: 'local', userId: user, agentId: undefined, sessionUid: undefined, visibility },
      labels: given.labels ?? [],
    },
    kind: given.kind ?? 'entity',
    status: given.status ?? 'active',
    pinned: given.pinned ?? false,
    title,
    aliases: given.aliases ?? [],
    tags: [],
    levels: { abstract, overview: '', text },
    links: given.links ?? [],
    contentHash: `${path} ${text}`,
    version: 1,
    updatedAt: given.updatedAt ?? testNow - 86_400_000,
  };
}

/** Turns of one session, in order; `Name: text` has a speaker. */
export function testTurns(session: string, lines: readonly string[], at = testNow - 7 * 86_400_000): IndexedTurn[] {
  return lines.map((line, index) => {
    const [, speaker = '', text = line] = /^(\p{Lu}\p{L}+): (.*)$/su.exec(line) ?? [];
    return {
      uri: turnUri('lin', session, index + 1),
      source: 'turn',
      owner: {
        ...{ accountId: 'local', userId: 'lin', agentId: 'main', sessionUid: session },
        ...{ visibility: 'private', labels: [] },
      },
      ...{ sessionUid: session, epoch: 0, sequence: index + 1, role: 'user', speaker, at: at + index * 1_000, text },
    };
  });
}

export interface RecallFixture {
  readonly index: MemoryIndexWriter;
  readonly recall: (query: string, request?: Partial<RecallRequest>) => Promise<RecallResult>;
  readonly setNow: (now: number) => void;
}

/** Recall over a real index in a directory of its own; only the clock is scripted. */
export async function openRecallFixture(
  options: { readonly embedder?: Embedder; readonly wrapIndex?: (index: MemoryIndex) => MemoryIndex } = {},
): Promise<RecallFixture> {
  const dir = await mkdtemp(join(tmpdir(), 'strata-recall-'));
  const index = openInlineIndex({ file: join(dir, 'index.db'), now: () => testNow });
  onTestFinished(async () => {
    await index.close();
    await rm(dir, { recursive: true, force: true });
  });
  let now = testNow;
  const recall = createRecall({
    index: options.wrapIndex?.(index) ?? index,
    embedder: options.embedder,
    counter: new TokenCounter(createInlineTokenizer()),
    clock: { now: () => now },
  });
  return {
    index,
    setNow: (value) => {
      now = value;
    },
    recall: (query, request = {}) =>
      recall.recall({
        ...{ query, earlier: [], scope: testScope, sources: ['page', 'turn', 'checkpoint'], limit: 10 },
        ...{ maxTokens: 4_000, itemTokens: 400, minScore: 0.35, includeInactive: false, ...request },
      }),
  };
}
