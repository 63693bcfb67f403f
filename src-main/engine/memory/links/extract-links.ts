import type { MemoryPage } from '../../../../src-shared/model/memory-page.ts';
import type { IndexedLink } from '../../ports/memory-index.ts';
import { frontMatterLinks, frontMatterType } from './front-matter-links.ts';
import { maskCode } from './mask-code.ts';
import type { Mention } from './mentions.ts';
import { readMentions } from './mentions.ts';
import type { PageSort } from './page-sort.ts';
import { sortOfUri, sortOfWord } from './page-sort.ts';
import { findPhrases } from './phrase-book.ts';
import type { Relation, RelationText } from './relate-mention.ts';
import { relateMention } from './relate-mention.ts';

/** Text further down holds no links that are kept (characters); a page of that length is a log, not a page about something. */
const longestText = 500_000;
const mostLinks = 5_000;
/** Names that are no links and stand in no relation: only so many are kept of a page. */
const mostNames = 64;

/**
 * Links of a page by rules, without a model: front matter, markdown and wiki links, and names. Each has the relation that
 * the words around it say, else `mentions`. Time grows with the length of the page.
 */
export function extractLinks(page: MemoryPage): readonly IndexedLink[] {
  if (page.problem) return [];
  const links = [...frontMatterLinks(page.content, page.links, page.uri), ...textLinks(page)];
  const typed = new Set(links.filter(({ type }) => type !== 'mentions').map(keyOfTarget));
  const seen = new Set<string>();
  return links
    .filter((link) => {
      const key = `${link.type}\n${link.incoming === true ? 'in' : 'out'}\n${keyOfTarget(link)}`;
      const isNew = !seen.has(key) && (link.type !== 'mentions' || !typed.has(keyOfTarget(link)));
      seen.add(key);
      return isNew && link.to !== page.uri;
    })
    .slice(0, mostLinks);
}

function textLinks(page: MemoryPage): readonly IndexedLink[] {
  const text = readText(page);
  const links: IndexedLink[] = [];
  let names = 0;
  for (const [index, mention] of text.mentions.entries()) {
    const relation = relateMention(text, index) ?? byPlace(mention, text.pageSort);
    if (!mention.isLink && !relation) {
      const isAName = mention.to - mention.from > 1 || /[\p{L}\p{N}]\p{Lu}/u.test(mention.target.name ?? '');
      if (!isAName || names >= mostNames) continue;
      names += 1;
    }
    const { type, incoming } = relation ?? { type: 'mentions', incoming: false };
    links.push({ ...mention.target, type, origin: 'text', ...(incoming && { incoming }) });
  }
  return links;
}

function readText(page: MemoryPage): RelationText {
  const pageSort = sortOfPage(page);
  const timeline = page.timeline.map(({ text }) => text).join('\n\n');
  const body = maskCode(`${page.truth}\n\n${timeline}`.slice(0, longestText));
  const read = readMentions(body, page.uri, { names: [page.title, ...page.aliases], parts: pageSort === 'person' });
  const phrases = findPhrases(read.words, { questions: false });
  const phrasesByEnd = [...phrases].sort((a, b) => a.to - b.to || b.from - a.from);
  return { ...read, phrases, phrasesByEnd, pageSort };
}

/** Who is linked on the page of a meeting was there, unless something else is said of them. */
function byPlace(mention: Mention, pageSort: PageSort | undefined): Relation | undefined {
  const isGuest = pageSort === 'meeting' && mention.isLink && mention.sort === 'person';
  return isGuest ? { type: 'attended', incoming: true } : undefined;
}

function sortOfPage(page: MemoryPage): PageSort | undefined {
  const type = frontMatterType(page.content) ?? page.kind;
  return sortOfWord(type) ?? sortOfUri(page.uri);
}

function keyOfTarget({ to, name }: IndexedLink): string {
  return to === '' ? `name ${(name ?? '').toLowerCase()}` : to;
}
