import type { PageHead } from '../../src-shared/model/memory-page.ts';
import type { PageUri } from '../../src-shared/model/uri.ts';
import { pageUriOf } from './page-words.ts';

/** A row of the tree: an owner, a folder of it, or a page. */
export type TreeRow =
  | {
      readonly type: 'folder';
      readonly key: string;
      readonly level: number;
      readonly name: string;
      /** `user`, `agent` or `workspace` for the first level. */
      readonly owner?: PageUri['owner'];
      readonly pages: number;
      readonly problems: number;
      readonly open: boolean;
    }
  | { readonly type: 'page'; readonly key: string; readonly level: number; readonly page: PageHead };

export interface MemoryTree {
  readonly owner: PageUri['owner'] | undefined;
  readonly name: string;
  readonly key: string;
  readonly folders: ReadonlyMap<string, MemoryTree>;
  readonly pages: readonly PageHead[];
  /** Of this folder and all under it. */
  readonly count: number;
  readonly problems: number;
}

interface Growing {
  readonly owner: PageUri['owner'] | undefined;
  readonly name: string;
  readonly key: string;
  readonly folders: Map<string, Growing>;
  readonly pages: PageHead[];
  count: number;
  problems: number;
}

const ownerOrder = { user: 0, agent: 1, workspace: 2 } as const;

/** Files by owner and folder: users first, then agents, then what else stands in the workspace; each by name. */
export function memoryTree(pages: readonly PageHead[]): readonly MemoryTree[] {
  const owners = new Map<string, Growing>();
  for (const page of pages) {
    const { owner, name, folders } = placeInTree(page);
    const root = grow(owners, `${owner} ${name}`, () => folder(name, `${owner} ${name}`, owner));
    let at = root;
    count(at, page);
    for (const part of folders) {
      const parent = at;
      at = grow(parent.folders, part, () => folder(part, `${parent.key}/${part}`, undefined));
      count(at, page);
    }
    at.pages.push(page);
  }
  return [...owners.values()].sort(
    (one, other) =>
      ownerOrder[one.owner ?? 'workspace'] - ownerOrder[other.owner ?? 'workspace'] || byName(one.name, other.name),
  );
}

/** The rows that are in sight: what is below a closed folder is not. */
export function treeRows(trees: readonly MemoryTree[], closed: ReadonlySet<string>): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (tree: MemoryTree, level: number) => {
    const open = !closed.has(tree.key);
    const { key, name, owner, count: number, problems } = tree;
    rows.push({
      type: 'folder',
      key,
      level,
      name,
      ...(owner === undefined ? {} : { owner }),
      pages: number,
      problems,
      open,
    });
    if (!open) return;
    for (const child of [...tree.folders.values()].sort((one, other) => byName(one.name, other.name)))
      add(child, level + 1);
    for (const page of [...tree.pages].sort(
      (one, other) => byName(one.title, other.title) || byName(one.uri, other.uri),
    ))
      rows.push({ type: 'page', key: page.uri, level: level + 1, page });
  };
  for (const tree of trees) add(tree, 1);
  return rows;
}

/** Keys of the folders that a page stands in, outermost first. */
export function foldersAbove(page: PageHead): readonly string[] {
  const { owner, name, folders } = placeInTree(page);
  const root = `${owner} ${name}`;
  return folders.reduce<string[]>((keys, part) => [...keys, `${keys.at(-1) ?? root}/${part}`], [root]);
}

interface TreePlace {
  readonly owner: PageUri['owner'];
  readonly name: string;
  readonly folders: readonly string[];
}

/** A head never changes, so its address is taken apart once; a filter makes the tree anew with every letter. */
const places = new WeakMap<PageHead, TreePlace>();

function placeInTree(page: PageHead): TreePlace {
  const known = places.get(page) ?? findPlace(page);
  places.set(page, known);
  return known;
}

function findPlace(page: PageHead): TreePlace {
  const parsed = pageUriOf(page.uri);
  const folders = (parsed?.path ?? page.path).split('/').slice(0, -1);
  if (parsed?.owner === 'user') return { owner: 'user', name: parsed.userId, folders };
  if (parsed?.owner === 'agent') return { owner: 'agent', name: parsed.agentId, folders };
  return { owner: 'workspace', name: 'workspace', folders };
}

function folder(name: string, key: string, owner: PageUri['owner'] | undefined): Growing {
  return { owner, name, key, folders: new Map(), pages: [], count: 0, problems: 0 };
}

function count(at: Growing, page: PageHead): void {
  at.count += 1;
  if (page.problem !== undefined) at.problems += 1;
}

function grow(map: Map<string, Growing>, key: string, make: () => Growing): Growing {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}

const collator = new Intl.Collator('en', { numeric: true });
function byName(one: string, other: string): number {
  return collator.compare(one, other);
}
