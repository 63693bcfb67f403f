import { visibleStart } from './visible-text.ts';

/** As many of the lines as fit, whole; what is left out is said in a last line. */
export function fitLines(lines: readonly string[], maxCharacters: number): string {
  const kept: string[] = [];
  let length = 0;
  for (const [index, line] of lines.entries()) {
    const left = lines.length - index - 1;
    const note = left > 0 ? moreNote(lines.length - index).length + 1 : 0;
    if (length + line.length + 1 + note > maxCharacters) {
      kept.push(moreNote(lines.length - index));
      break;
    }
    kept.push(line);
    length += line.length + 1;
  }
  return visibleStart(kept.join('\n'), maxCharacters);
}

function moreNote(count: number): string {
  return `… ${count} more line${count === 1 ? '' : 's'} of this synopsis`;
}
