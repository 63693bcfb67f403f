/** A line is looked at up to here (UTF-16 units): patterns run over lines, and a line may be the whole text. */
const longestLooked = 1_000;

/**
 * Calls back for each line, its first 1,000 units, without holding them all: ten million empty lines would be as many
 * objects. A line break at the very end starts no line.
 * @param each answers false to stop
 */
export function forEachLine(text: string, each: (line: string, index: number) => boolean | void): void {
  let start = 0;
  for (let index = 0; start < text.length; index += 1) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    const isBroken = end > start && text.charCodeAt(end - 1) === 13;
    const line = text.slice(start, Math.min(isBroken ? end - 1 : end, start + longestLooked));
    if (each(line, index) === false) return;
    start = end + 1;
  }
}

/** Lines of a text; 0 for an empty one. */
export function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return text === '' || text.endsWith('\n') ? lines : lines + 1;
}

/** The first lines that are not blank. */
export function firstLines(text: string, count: number): string[] {
  const lines: string[] = [];
  forEachLine(text, (line) => {
    if (line.trim() !== '') lines.push(line);
    return lines.length < count;
  });
  return lines;
}

/** The last lines that are not blank, in their order. */
export function lastLines(text: string, count: number): string[] {
  const lines: string[] = [];
  let end = text.length;
  while (end > 0 && lines.length < count) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, Math.min(end, start + longestLooked)).replace(/\r$/, '');
    if (line.trim() !== '') lines.unshift(line);
    end = start - 1;
  }
  return lines;
}
