import type { MemoryPage } from '../../../src-shared/model/memory-page.ts';
import type { PageTokens } from '../../../src-shared/protocol/pages.ts';
import { linesOf } from '../memory/pages/grammar/lines-of.ts';
import { splitFrontMatter } from '../memory/pages/grammar/split-front-matter.ts';
import { splitTimeline } from '../memory/pages/grammar/split-timeline.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';

/** Longer pages are not counted while somebody waits (characters); calls never have them whole. */
const longestCounted = 1_000_000;
/** Headings that are told one by one; what follows is one section. */
const mostSections = 500;

interface Section {
  readonly heading: string;
  readonly level: number;
  readonly line: number;
  readonly start: number;
}

/** What a page takes by our tokenizer, as a whole and in parts; undefined for one that is too long to count in passing. */
export async function pageTokens(
  { content, truth, abstract, overview }: Pick<MemoryPage, 'content' | 'truth' | 'abstract' | 'overview'>,
  counter: Pick<TokenCounter, 'texts'>,
): Promise<PageTokens | undefined> {
  if (content.length > longestCounted) return undefined;
  const { body } = splitFrontMatter(content);
  const place = splitTimeline(content, body);
  const sections = sectionsOf(content, body);
  const texts = sections.map(({ start }, index) => content.slice(start, sections[index + 1]?.start));
  const timeline = place ? content.slice(place.timeline) : '';
  const counts = await counter.texts([content, truth, timeline, abstract, overview, ...texts]);
  return {
    counter: 'tokenizer',
    whole: counts[0] ?? 0,
    truth: counts[1] ?? 0,
    timeline: counts[2] ?? 0,
    abstract: counts[3] ?? 0,
    overview: counts[4] ?? 0,
    sections: sections.map(({ heading, level, line }, index) => ({
      ...{ heading, level, line },
      tokens: counts[5 + index] ?? 0,
    })),
  };
}

/** ATX headings outside of fenced code; each section reaches to the next heading. */
function sectionsOf(text: string, body: number): readonly Section[] {
  const sections: Section[] = [];
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < body; at = text.indexOf('\n', at + 1)) line += 1;
  let fence: string | undefined;
  for (const { text: words, start } of linesOf(text, body)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(words)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
    }
    const heading = fence === undefined ? /^ {0,3}(#{1,6})(?:[ \t]|$)/.exec(words) : null;
    if (heading?.[1] !== undefined && sections.length < mostSections) {
      sections.push({ heading: words.slice(heading[0].length).trim(), level: heading[1].length, line, start });
    } else if (sections.length === 0 && words.trim() !== '') sections.push({ heading: '', level: 0, line, start });
    line += 1;
  }
  return sections;
}
