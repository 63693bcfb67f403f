import type { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { Alarm } from '../../../src-shared/model/events.ts';
import type { EngineParts } from '../engine-parts.ts';
import { FilePages } from './pages/file-pages.ts';
import { PageKeeper } from './pages/page-keeper.ts';
import { createPagesApi } from './pages/pages-api.ts';
import { workspaceAlarm } from './pages/workspace-alarm.ts';

/** Wires long-term memory together: pages, and what is built on them. */
export function createMemory(parts: EngineParts) {
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
  return {
    api: createPagesApi(pages, async () => []),
    pages,
    keeper,
    alarms: (): Alarm[] => (trouble ? [workspaceAlarm(trouble.error, trouble.since)] : []),
    start: (): void => keeper.start(),
    stop: async (): Promise<void> => keeper.stop(),
  };
}
export type Memory = ReturnType<typeof createMemory>;
