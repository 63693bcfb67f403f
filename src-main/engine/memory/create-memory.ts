import type { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { Alarm } from '../../../src-shared/model/events.ts';
import { Deadline } from '../deadline.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import { createRecall } from '../recall/create-recall.ts';
import { createSearchApi } from '../recall/search-api.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { MemoryAccessPolicy } from './access/memory-access-policy.ts';
import { createIndexing } from './indexing/create-indexing.ts';
import { findBacklinks } from './links/find-backlinks.ts';
import { createWriting } from './operations/create-writing.ts';
import { MemoryMd } from './memory-md/memory-md.ts';
import { ContextFiles } from './pages/context-files.ts';
import { FilePages } from './pages/file-pages.ts';
import { PageKeeper } from './pages/page-keeper.ts';
import { createPagesApi } from './pages/pages-api.ts';
import { unreadableAlarm } from './pages/unreadable-alarm.ts';
import { workspaceAlarm } from './pages/workspace-alarm.ts';
import { createToolsApi } from './tools/create-tools-api.ts';

/** What runs behind memory may take so long to come to an end, all of it together (ms); a store that hangs takes for ever. */
const stopMs = 2_000;

/** Wires long-term memory together: pages, and what is built on them. */
export function createMemory(parts: EngineParts, jobs: JobRunner, counter: TokenCounter) {
  const pages = new FilePages(parts);
  let trouble: { readonly error: EngineError; readonly since: number } | undefined;
  const keeper = new PageKeeper({
    ...parts,
    pages,
    onTrouble: (error) => {
      if (error?.message === trouble?.error.message) return;
      trouble = error && { error, since: parts.clock.now() };
      if (error) parts.log('warn', 'workspace_failing', { code: error.code, error: error.message });
      parts.events.publish({ type: 'health.changed' });
    },
  });
  const { user_id: userId, memory } = parts.config;
  const memoryMd = new MemoryMd({
    ...parts,
    isBusy: () => keeper.isTakingIn,
    ...{ pages, userId, isWritten: memory.write_memory_md, maxTokens: memory.memory_md_tokens },
  });
  pages.onChange((uri) => memoryMd.note(uri));
  let unreadable: Alarm[] | undefined;
  pages.onChange(() => {
    unreadable = undefined;
  });
  pages.onErase(async (uri) => memoryMd.forget(uri));
  pages.onErase(async (uri) => {
    await parts.memoryIndex.erase([uri]);
  });
  const indexing = createIndexing(parts, pages, jobs);
  const { clock, config, embedder, memoryIndex } = parts;
  const access = new MemoryAccessPolicy(config.memory.access, parts.standing);
  const recall = createRecall({ index: memoryIndex, embedder, counter, clock, pages });
  const pagesApi = createPagesApi(pages, async (uri) => findBacklinks(uri, memoryIndex, config.user_id));
  const writing = createWriting(parts, pages, jobs, access, pagesApi.deletePage);
  return {
    api: {
      ...pagesApi,
      ...writing.api,
      ...indexing.api,
      ...createSearchApi({ recall, config, scopeFor: (reader) => access.scopeFor(reader) }),
      ...createToolsApi({ ...parts, recall, index: memoryIndex, access }),
    },
    pages,
    keeper,
    memoryMd,
    files: new ContextFiles({
      pages,
      clock,
      findCheckpoint: async (id) => parts.store.findCheckpoint(id),
      backlinksOf: async (uri) => findBacklinks(uri, memoryIndex, config.user_id),
      uses: async (uris) => memoryIndex.uses(uris),
    }),
    indexing,
    writer: writing.writer,
    noteStored: writing.noteStored,
    noteEnded: writing.noteEnded,
    flush: writing.flush,
    catchUp: writing.catchUp,
    settled: writing.settled,
    recall,
    access,
    alarms: (): Alarm[] => [
      ...(trouble ? [workspaceAlarm(trouble.error, trouble.since)] : []),
      ...(unreadable ??= unreadableAlarm(parts.pageStore.unreadable())),
      ...indexing.alarms(),
    ],
    start: (): void => {
      keeper.start();
      indexing.start();
      writing.start();
    },
    stop: async (): Promise<void> => {
      // Who writes pages ends before who follows them. All are told to, also when one before them does not come to an end.
      const deadline = new Deadline(stopMs);
      for (const [part, running] of Object.entries({ writing, memoryMd, keeper, indexing })) {
        const outcome = await deadline.wait(running.stop());
        if (outcome.state === 'late') parts.log('warn', 'memory_still_running', { part });
        else if (outcome.state === 'failed')
          parts.log('warn', 'memory_not_stopped', { part, error: String(outcome.error) });
      }
      deadline.clear();
    },
  };
}
export type Memory = ReturnType<typeof createMemory>;
