export interface Base64Cut {
  /** Where in the shortened text the base64 text belongs (UTF-16 code units). */
  readonly offset: number;
  readonly bytes: Buffer;
}

export interface CutText {
  readonly text: string;
  readonly cuts: readonly Base64Cut[];
}

/** Base64 up to this many characters stays in the text. */
const longest = 1_024;

// The look-behind keeps the scan linear: within a shorter run no second start is tried.
const runs = new RegExp(`(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{${longest + 1},}={0,2}`, 'g');

/**
 * Takes long base64 runs out of a text, decoded: a third smaller, and the same picture is stored once wherever it is
 * quoted. Only what encodes to exactly the same characters again is taken.
 */
export function cutBase64(text: string): CutText {
  if (text.length <= longest) return { text, cuts: [] };
  const cuts: Base64Cut[] = [];
  let shortened = '';
  let end = 0;
  for (const match of text.matchAll(runs)) {
    const escaped = escapeLength(text, match.index, match[0]);
    const bytes = decodeExactly(match[0].slice(escaped));
    if (bytes === undefined) continue;
    shortened += text.slice(end, match.index + escaped);
    cuts.push({ offset: shortened.length, bytes });
    end = match.index + match[0].length;
  }
  return { text: shortened + text.slice(end), cuts };
}

/** Puts the runs back where they were. */
export function restoreBase64(shortened: string, cuts: readonly Base64Cut[]): string {
  let text = '';
  let end = 0;
  for (const { offset, bytes } of cuts) {
    text += shortened.slice(end, offset) + bytes.toString('base64');
    end = offset;
  }
  return text + shortened.slice(end);
}

/** In `\nAAAA…` the `n` belongs to a JSON escape, not to the base64 after it. */
function escapeLength(text: string, start: number, run: string): number {
  let backslashes = 0;
  while (text[start - 1 - backslashes] === '\\') backslashes += 1;
  if (backslashes % 2 === 0) return 0;
  return run.startsWith('u') ? 5 : 1;
}

function decodeExactly(run: string): Buffer | undefined {
  if (run.length <= longest || run.length % 4 !== 0) return undefined;
  const bytes = Buffer.from(run, 'base64');
  return bytes.toString('base64') === run ? bytes : undefined;
}
