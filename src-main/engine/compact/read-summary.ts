import { noLines, sectionNames, sectionTitles, type SectionLines, type SectionName } from './summary-sections.ts';

export interface ReadSummary {
  /** Empty where the text has none. */
  readonly abstract: string;
  readonly lines: SectionLines;
  /** Headings of ours that the text has; without any it is no summary of the agreed form. */
  readonly sections: number;
}

const titles: ReadonlyMap<string, SectionName | 'abstract'> = new Map<string, SectionName | 'abstract'>([
  ['abstract', 'abstract'],
  ...sectionNames.map((name): [string, SectionName] => [sectionTitles[name].toLowerCase(), name]),
  // What models write instead although they were told the words.
  ['open todos', 'tasks'],
  ['constraints', 'rules'],
  ['constraints/rules', 'rules'],
  ['constraints and rules', 'rules'],
  ['standing rules', 'rules'],
  ['pending user asks', 'requests'],
  ['identifiers', 'identifiers'],
  ['running subagents', 'subagents'],
]);

/** `## Decisions`, `**Decisions**`, `Decisions:` on a line of its own. */
const heading = /^\s{0,3}(?:#{1,6}\s*|\*\*\s*)?([A-Za-z][A-Za-z/ -]{2,40}?)\s*(?:\*\*)?\s*:?\s*(?:\*\*)?\s*#*\s*$/;
/** A longer line is none (characters). */
const longestHeading = 100;
const anyHeading = /^\s{0,3}#{1,6}\s+\S/;

/** Lines that say that a section is empty. */
const nothing =
  /^(?:none|nothing|n\/a|not applicable|no (?:open|pending|running)\b.{0,40}|无|没有|暂无|なし|없음|-+)[.。]?$/i;

/**
 * Reads a summary of ours, or a model's answer in its form: tolerant of bullets, heading levels and a fence around the
 * whole. What stands before the first heading is talk; sections that nobody asked for are told under what happened.
 */
export function readSummary(text: string): ReadSummary {
  const lines: Record<SectionName, string[]> = {
    decisions: [...noLines.decisions],
    tasks: [],
    rules: [],
    requests: [],
    identifiers: [],
    subagents: [],
    facts: [],
  };
  const abstract: string[] = [];
  let current: SectionName | 'abstract' | undefined;
  let sections = 0;
  for (const raw of text.split(/\r?\n/)) {
    const short = raw.trimEnd();
    const title = short.length > longestHeading ? undefined : titles.get(heading.exec(short)?.[1]?.toLowerCase() ?? '');
    if (title !== undefined) {
      current = title;
      if (title !== 'abstract') sections += 1;
      continue;
    }
    if (anyHeading.test(raw)) {
      if (current !== undefined) current = 'facts';
      continue;
    }
    const line = plainLine(raw);
    if (line === '' || nothing.test(line) || current === undefined) continue;
    (current === 'abstract' ? abstract : lines[current]).push(line);
  }
  return { abstract: abstract.join(' '), lines, sections };
}

function plainLine(raw: string): string {
  if (/^\s*(?:```|~~~)/.test(raw)) return '';
  return raw
    .replace(/^\s*(?:[-*•+]|\d{1,3}[.)])\s+/, '')
    .replace(/\s+/gu, ' ')
    .trim();
}
