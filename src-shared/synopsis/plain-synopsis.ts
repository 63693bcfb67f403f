import { countLines } from './text-lines.ts';
import { visibleEnd, visibleStart } from './visible-text.ts';

/** Share of the characters that the head gets: what a text is mostly stands at its start, how it ended at its end. */
const headShare = 0.6;

/** Head and tail of any text. */
export function plainSynopsis(text: string, maxCharacters: number): string {
  const title = `Text: ${text.length} characters, ${countLines(text)} lines`;
  const room = Math.max(0, maxCharacters - title.length - 80);
  const head = visibleStart(text, Math.floor(room * headShare)).trimEnd();
  const tail = visibleEnd(text, Math.floor(room * (1 - headShare))).trimStart();
  return `${title}\n${head}\n[… about ${Math.max(0, text.length - room)} characters left out …]\n${tail}`;
}
