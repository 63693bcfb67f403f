// Child of tests: writes, renames, restores or forgets a page and kills itself at a named point in between.
import { join } from 'node:path';
import { repositoryRoot } from '../../../../repository-root.ts';
import { openSessionStore } from '../../../../store/open-session-store.ts';
import { FileWorkspace } from '../../../../workspace/file-workspace.ts';
import { loadKinds } from '../../../../workspace/load-kinds.ts';
import { FilePages } from '../file-pages.ts';

const [dataDir = '', action = '', point = ''] = process.argv.slice(2);
const store = openSessionStore({ dataDir, backups: 1 });
const workspace = new FileWorkspace({ root: join(dataDir, 'workspace'), largestFile: 5_000_000 });
await workspace.prepare();

/** The method, and the process ends right after it did its work. */
function dieAfter(target: object, name: string): void {
  const method: unknown = Reflect.get(target, name);
  if (typeof method !== 'function') throw new Error(`There is no method ${name}.`);
  Reflect.set(target, name, async (...given: unknown[]) => {
    await Reflect.apply(method, target, given);
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => undefined);
  });
}

const pages = new FilePages({
  workspace,
  pageStore: store.pages,
  kinds: await loadKinds(repositoryRoot(), dataDir),
  clock: { now: () => Date.now() },
  events: { publish: () => undefined },
  log: () => undefined,
});
const [where = '', name = ''] = point.split('.');
dieAfter(where === 'store' ? store.pages : workspace, name);
const uri = 'strata://resources/a';
if (action === 'save') await pages.save({ uri, change: { content: 'After.\n' }, baseVersion: 1, author: 'user' });
else if (action === 'restore') await pages.restore(uri, 1, { author: 'user' });
else if (action === 'erase') await pages.erase(uri, {});
else await pages.rename(uri, 'strata://resources/b', { baseVersion: 1, author: 'user' });
