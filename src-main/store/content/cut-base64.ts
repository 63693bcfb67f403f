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

/**
 * Takes long base64 runs out of a text, decoded: a third smaller, and the same picture is stored once wherever it is
 * quoted. Only what encodes to exactly the same characters again is taken.
 */
export function cutBase64(text: string): CutText {
  if (text.length <= longest) return { text, cuts: [] };
  const cuts: Base64Cut[] = [];
  let shortened = '';
  let end = 0;
  for (let run = nextRun(text, 0); run !== undefined; run = nextRun(text, run.end)) {
    const start = run.start + escapeLength(text, run.start);
    const bytes = decodeExactly(text.slice(start, run.end));
    if (bytes === undefined) continue;
    shortened += text.slice(end, start);
    cuts.push({ offset: shortened.length, bytes });
    end = run.end;
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

/**
 * The next run that is long enough, with up to two `=` after it. No regular expression: one that repeats over a run of
 * millions fails with a full stack. From where such a run would end at the earliest the text is read backwards, so that
 * of words mostly the last few characters in a thousand are looked at.
 */
function nextRun(text: string, from: number): { readonly start: number; readonly end: number } | undefined {
  let start = from;
  while (start + longest < text.length) {
    let at = start + longest;
    while (at >= start && isBase64(text.charCodeAt(at))) at -= 1;
    if (at < start) return { start, end: runEnd(text, start + longest + 1) };
    start = at + 1;
  }
  return undefined;
}

function runEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && isBase64(text.charCodeAt(end))) end += 1;
  for (let padding = 0; padding < 2 && text[end] === '='; padding += 1) end += 1;
  return end;
}

/** `A-Z a-z 0-9 + /` */
function isBase64(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 47 && unit <= 57) || unit === 43;
}

/** In `\nAAAA…` the `n` belongs to a JSON escape, not to the base64 after it. */
function escapeLength(text: string, start: number): number {
  let backslashes = 0;
  while (text[start - 1 - backslashes] === '\\') backslashes += 1;
  if (backslashes % 2 === 0) return 0;
  return text[start] === 'u' ? 5 : 1;
}

function decodeExactly(run: string): Buffer | undefined {
  if (run.length <= longest || run.length % 4 !== 0) return undefined;
  const bytes = Buffer.from(run, 'base64');
  return bytes.toString('base64') === run ? bytes : undefined;
}
