import type { StoredPage } from '../../ports/page-store.ts';
import { uriOfPath } from './page-address.ts';
import type { IntakeParts } from './page-intake.ts';

/** A file that went away this long ago may be the one that appears elsewhere (ms): events of one `mv` come apart. */
const recent = 5_000;
/** Files with the same content that are looked at. */
const looked = 20;

/**
 * The page whose file a person moved to this path: a file nobody knows yet, with the content of exactly one page whose
 * file is not there any more. Where several are gone, the one with the same file name; equal files else stay new pages.
 */
export async function movedFrom(path: string, parts: IntakeParts): Promise<StoredPage | undefined> {
  const { workspace, pageStore } = parts;
  const uri = uriOfPath(path);
  if (uri === undefined || (await pageStore.find(uri))?.uri === uri) return undefined;
  const file = await workspace.read(path);
  if (!file || file.size === 0) return undefined;
  const gone = await goneWith(file.hash, parts);
  const named = gone.length > 1 ? gone.filter((page) => nameOf(page.path) === nameOf(path)) : gone;
  return named.length === 1 ? named[0] : undefined;
}

/** Pages with this content whose file is not there any more, or went away a moment ago. */
export async function goneWith(
  hash: string,
  { workspace, pageStore, clock }: IntakeParts,
): Promise<readonly StoredPage[]> {
  const gone: StoredPage[] = [];
  for (const page of await pageStore.withContent(hash, looked)) {
    if (page.isGone ? clock.now() - page.updatedAt <= recent : !(await workspace.read(page.path))) gone.push(page);
  }
  return gone;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
