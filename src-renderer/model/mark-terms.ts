export interface MarkedPiece {
  readonly text: string;
  readonly marked: boolean;
}

/** Characters of the text that are shown. */
const shown = 260;
/** A text is looked through so far for the first place that is found. */
const searched = 20_000;

/** The part of a text around the first word that was looked for, with all of them marked. */
export function markTerms(text: string, terms: readonly string[]): readonly MarkedPiece[] {
  const flat = text.slice(0, searched).replaceAll(/\s+/g, ' ').trim();
  // Longest first, so that a part of a word does not hide the whole.
  const wanted = terms
    .map((term) => term.toLowerCase())
    .filter((term) => term.length > 1 || /\P{ASCII}/u.test(term))
    .sort((one, other) => other.length - one.length);
  const lower = flat.toLowerCase();
  // Some letters change their length in lower case; then places would not fit, and nothing is marked.
  const places = lower.length === flat.length ? placesOf(lower, wanted) : [];
  const first = places[0]?.from ?? 0;
  const start = first < 80 ? 0 : first - 60;
  const end = Math.min(flat.length, start + shown);
  const pieces: MarkedPiece[] = [];
  const add = (from: number, to: number, marked: boolean) => {
    if (to > from) pieces.push({ text: flat.slice(from, to), marked });
  };
  if (start > 0) pieces.push({ text: '… ', marked: false });
  let at = start;
  for (const { from, to } of places) {
    if (from < at || to > end) continue;
    add(at, from, false);
    add(from, to, true);
    at = to;
  }
  add(at, end, false);
  if (end < flat.length || text.length > searched) pieces.push({ text: ' …', marked: false });
  return pieces;
}

function placesOf(text: string, terms: readonly string[]): readonly { readonly from: number; readonly to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (const term of terms.slice(0, 40)) {
    let at = text.indexOf(term);
    for (let count = 0; at >= 0 && count < 50; count += 1) {
      // In the middle of a Latin word it is another word.
      if (!/[a-z0-9]/.test(text[at - 1] ?? ' ') || /\P{ASCII}/u.test(term))
        found.push({ from: at, to: at + term.length });
      at = text.indexOf(term, at + term.length);
    }
  }
  return found.sort((one, other) => one.from - other.from || other.to - one.to);
}
