import { relative, sep } from 'node:path';
import { watch } from 'chokidar';
import type { WorkspaceHint } from '../engine/ports/workspace.ts';
import { isHiddenName, isPagePath } from './is-page-path.ts';

export interface WatchOptions {
  readonly root: string;
  readonly debounceMs: number;
  readonly onHint: (hint: WorkspaceHint) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Tells of Markdown files that changed, each once when it has been quiet for a moment. */
export async function watchFiles(options: WatchOptions): Promise<() => Promise<void>> {
  const { root, debounceMs, onHint, onFailure } = options;
  const changed = new Set<string>();
  const folders = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    const hints = [...[...changed].map((path) => ({ path })), ...[...folders].map((folder) => ({ folder }))];
    changed.clear();
    folders.clear();
    timer = undefined;
    for (const hint of hints) onHint(hint);
  };
  const inside = (path: string): string => relative(root, path).split(sep).join('/');
  const watcher = watch(root, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path, stats) => {
      const name = inside(path);
      if (name === '') return false;
      return name.split('/').some(isHiddenName) || (stats?.isFile() === true && !isPagePath(name));
    },
  });
  const note = (path: string): void => {
    const name = inside(path);
    if (!isPagePath(name)) return;
    changed.add(name);
    timer ??= setTimeout(tell, debounceMs);
  };
  watcher.on('add', note).on('change', note).on('unlink', note).on('error', onFailure);
  watcher.on('unlinkDir', (path) => {
    // Files of a folder that went away are not always told of.
    folders.add(inside(path));
    timer ??= setTimeout(tell, debounceMs);
  });
  await new Promise<void>((resolve) => void watcher.once('ready', resolve));
  return async () => {
    clearTimeout(timer);
    await watcher.close();
  };
}
