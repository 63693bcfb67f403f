import type { PageHead } from '../../src-shared/model/memory-page.ts';

/** URIs by what a page may be called: its address, path, file name, title and aliases. */
export type PageNames = ReadonlyMap<string, readonly string[]>;

export function pageNames(pages: readonly PageHead[]): PageNames {
  const names = new Map<string, string[]>();
  const add = (name: string, uri: string) => {
    const key = keyOf(name);
    if (key === '') return;
    const known = names.get(key);
    if (known === undefined) names.set(key, [uri]);
    else if (!known.includes(uri)) known.push(uri);
  };
  for (const page of pages) {
    add(page.uri, page.uri);
    add(page.path, page.uri);
    add(page.path.slice(page.path.lastIndexOf('/') + 1), page.uri);
    add(page.title, page.uri);
    for (const alias of page.aliases) add(alias, page.uri);
  }
  return names;
}

/** The one page that is meant; undefined for a name that no page has, or several. */
export function resolvePageName(names: PageNames, target: string): string | undefined {
  const found = names.get(keyOf(target.replace(/#.*$/s, '')));
  return found?.length === 1 ? found[0] : undefined;
}

function keyOf(name: string): string {
  return name
    .trim()
    .replace(/^(?:\.\.?\/)+/, '')
    .replace(/\.md$/i, '')
    .normalize('NFC')
    .toLowerCase();
}
