import { withoutControls } from './plain-text.ts';
import { sectionNames, type SectionLines, type SectionName } from './summary-sections.ts';

/** Lines of the same key say the same. */
export function lineKey(line: string): string {
  return line
    .toLowerCase()
    .replace(/[.。!！\s]+$/u, '')
    .replace(/\s+/gu, ' ');
}

/** Lines without characters that nobody sees, each once in the whole; a second `[done]` begins a line of its own. */
export function tidyLines(lines: SectionLines): SectionLines {
  const seen = new Set<string>();
  const tidy = (name: SectionName): readonly string[] =>
    lines[name]
      .flatMap((line) => (name === 'facts' ? splitMarked(withoutControls(line)) : [withoutControls(line)]))
      .filter((line) => {
        const key = lineKey(line);
        if (key === '' || seen.has(key)) return false;
        seen.add(key);
        return true;
      });
  const names = sectionNames.map((name): [SectionName, readonly string[]] => [name, tidy(name)]);
  return { ...lines, ...Object.fromEntries(names) };
}

function splitMarked(line: string): string[] {
  return line.split(/(?<=[.!?。！？])\s{0,3}(?=\[(?:done|withdrawn|asked)\])/u);
}

const marks: Readonly<Record<string, string>> = { done: 'Done', withdrawn: 'Withdrawn', asked: 'Asked' };

/** Lines as the sentences of one paragraph: each once, each with its end, and marks in words. */
export function paragraphOf(lines: readonly string[]): string {
  const sentences = lines.flatMap(splitMarked).map((line) =>
    endSentence(
      withoutControls(line)
        .replace(/^\[(done|withdrawn|asked)\]\s*/, (_, mark: string) => `${marks[mark] ?? ''}: `)
        .replace(/\[(done|withdrawn|asked)\]/g, '($1)')
        .trim(),
    ),
  );
  const unique = new Map(sentences.map((sentence) => [lineKey(sentence), sentence]));
  unique.delete('');
  return [...unique.values()].join(' ');
}

function endSentence(line: string): string {
  if (line === '' || /[.!?…。！？:：;；]["'”’」』)）]{0,3}$/u.test(line)) return line;
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(line) ? `${line}。` : `${line}.`;
}
