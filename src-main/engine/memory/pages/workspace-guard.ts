import { EngineError } from '../../../../src-shared/model/engine-error.ts';
import type { PageStore } from '../../ports/page-store.ts';
import type { Workspace } from '../../ports/workspace.ts';

/** Files that are looked for before a directory without the mark is taken for another one. */
const probed = 20;

/**
 * Makes sure that the directory is the workspace that the pages belong to. One that is not mounted looks like one from
 * which every file was deleted; nothing may follow from that.
 * @throws EngineError `workspace_blocked`
 */
export async function ensureWorkspace(workspace: Workspace, store: PageStore): Promise<void> {
  if (await workspace.isMarked()) return;
  const known = await store.known('', probed);
  let isThere = known.length === 0;
  for (const { path } of known) isThere ||= (await workspace.read(path)) !== undefined;
  // A workspace that can only be read is read all the same; who writes to it is told.
  if (isThere) return (await workspace.readOnly()) ? undefined : workspace.mark();
  throw new EngineError(
    'workspace_blocked',
    `${workspace.root} has none of the pages that were there before, and not the mark of a workspace (.strata/workspace). Is it mounted? Is memory.workspace in config.yaml right? If every page was deleted on purpose, make the file .strata/workspace in it.`,
    { details: { path: workspace.root } },
  );
}
