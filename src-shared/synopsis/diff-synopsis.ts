import { fitLines } from './fit-lines.ts';
import { firstLines, forEachLine } from './text-lines.ts';
import { oneLine } from './visible-text.ts';

interface FileChange {
  readonly name: string;
  added: number;
  removed: number;
  readonly hunks: string[];
}

const mostFiles = 400;
const mostHunks = 3;

export function isDiff(text: string): boolean {
  const lines = firstLines(text, 60);
  const named = lines.findIndex((line, index) => line.startsWith('--- ') && lines[index + 1]?.startsWith('+++ '));
  return named !== -1 && lines.some((line, index) => index > named && /^@@ -\d/.test(line));
}

/** Files with their added and removed lines, and where in them. */
export function diffSynopsis(text: string, max: number): string {
  const files: FileChange[] = [];
  const total = { files: 0, added: 0, removed: 0, hunks: 0 };
  let current: FileChange | undefined;
  let before = '';
  let left = { old: 0, new: 0 };
  forEachLine(text, (line) => {
    if (left.old > 0 || left.new > 0) {
      // Inside a hunk a removed line may look like a header.
      if (line.startsWith('+')) left.new -= 1;
      else if (line.startsWith('-')) left.old -= 1;
      else if (!line.startsWith('\\')) {
        left.new -= 1;
        left.old -= 1;
      }
      if (current && line.startsWith('+')) current.added += 1;
      if (current && line.startsWith('-')) current.removed += 1;
      if (line.startsWith('+')) total.added += 1;
      if (line.startsWith('-')) total.removed += 1;
      return;
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)/.exec(line);
    if (hunk) {
      left = { old: Number(hunk[1] ?? 1), new: Number(hunk[3] ?? 1) };
      total.hunks += 1;
      if (current && current.hunks.length <= mostHunks)
        current.hunks.push(`line ${hunk[2] ?? ''} ${hunk[4] ?? ''}`.trim());
    } else if (line.startsWith('--- ')) before = nameOf(line);
    else if (line.startsWith('+++ ')) {
      const after = nameOf(line);
      total.files += 1;
      const name = after === '/dev/null' ? `${before} (deleted)` : before === '/dev/null' ? `${after} (new)` : after;
      current = { name, added: 0, removed: 0, hunks: [] };
      if (files.length < mostFiles) files.push(current);
    }
  });
  return fitLines(
    [
      `Diff: ${total.files} files, +${total.added} −${total.removed} lines, ${total.hunks} hunks`,
      ...files.map((file) => `  ${oneLine(file.name, 120)}  +${file.added} −${file.removed}${places(file)}`),
    ],
    max,
  );
}

function nameOf(line: string): string {
  return line
    .slice(4)
    .replace(/\t.*$/, '')
    .replace(/^[ab]\//, '');
}

function places({ hunks }: FileChange): string {
  if (hunks.length === 0) return '';
  const shown = hunks.slice(0, mostHunks).map((hunk) => oneLine(hunk, 60));
  return `  at ${shown.join('; ')}${hunks.length > mostHunks ? '; …' : ''}`;
}
