export interface TextPiece {
  readonly text: string;
  /** Set when the piece is one character that cannot be seen: its code point and usual name. */
  readonly invisible?: { readonly code: string; readonly name: string };
}

const names: ReadonlyMap<number, string> = new Map([
  [0x00, 'NUL'],
  [0x09, 'TAB'],
  [0x0d, 'CR'],
  [0x1b, 'ESC'],
  [0x7f, 'DEL'],
  [0xa0, 'NBSP'],
  [0xad, 'SHY'],
  [0x200b, 'ZWSP'],
  [0x200c, 'ZWNJ'],
  [0x200d, 'ZWJ'],
  [0x200e, 'LRM'],
  [0x200f, 'RLM'],
  [0x2028, 'LS'],
  [0x2029, 'PS'],
  [0x202a, 'LRE'],
  [0x202b, 'RLE'],
  [0x202c, 'PDF'],
  [0x202d, 'LRO'],
  [0x202e, 'RLO'],
  [0x2060, 'WJ'],
  [0x2066, 'LRI'],
  [0x2067, 'RLI'],
  [0x2068, 'FSI'],
  [0x2069, 'PDI'],
  [0x3000, 'IDSP'],
  [0xfeff, 'BOM'],
]);

// Controls but line feed, no-break and odd spaces, joiners, direction marks, tags, variation selectors, and halves of
// surrogate pairs: everything that the page would show as nothing or as a plain space. Without the u flag a class can
// not hold the tags (U+E0000…), with it a lone surrogate is matched as its own code point, which is what we want.
const invisible =
  /[\ufe00-\ufe0f\u0000-\u0009\u000b-\u001f\u007f-\u00a0\u00ad\u061c\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\ufffb\ud800-\udfff\u{e0000}-\u{e0fff}]/gu;

/** Cuts a text at the characters that cannot be seen. The pieces put together are the text again. */
export function splitInvisible(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(invisible)) {
    if (match.index > from) pieces.push({ text: text.slice(from, match.index) });
    pieces.push({ text: match[0], invisible: describe(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

/** How many characters of the text cannot be seen, line feeds and tabs aside (they are expected). */
export function countInvisible(text: string): number {
  return Array.from(text.matchAll(invisible)).filter(([character]) => character !== '\t').length;
}

function describe(character: string): { code: string; name: string } {
  const point = character.codePointAt(0) ?? 0;
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  if (point >= 0xd800 && point <= 0xdfff) return { code, name: 'half a surrogate pair' };
  return { code, name: names.get(point) ?? code };
}
