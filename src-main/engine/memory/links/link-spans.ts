/** A link as it stands in the text. */
export interface LinkSpan {
  readonly start: number;
  readonly end: number;
  /** Address or name, without title and anchor. */
  readonly target: string;
  readonly label: string;
  /** `wiki`: `[[name]]` or `[[path|text]]`; `markdown`: `[text](address)`. */
  readonly form: 'wiki' | 'markdown';
}

const longestLabel = 500;
const longestTarget = 2_000;
const deepestBrackets = 8;

/** Links of a text in its order. Images are left out. Linear: every search for an end is bounded in length. */
export function linkSpans(text: string): readonly LinkSpan[] {
  const spans: LinkSpan[] = [];
  let at = text.indexOf('[');
  while (at >= 0) {
    const span = text[at + 1] === '[' ? readWiki(text, at) : readMarkdown(text, at);
    if (span && text[at - 1] !== '!') spans.push(span);
    at = text.indexOf('[', span ? span.end : at + 1);
  }
  return spans;
}

function readWiki(text: string, start: number): LinkSpan | undefined {
  const inside = text.slice(start + 2, start + 2 + longestLabel + longestTarget);
  const close = inside.search(/\]\]|[\n[]/);
  if (close <= 0 || !inside.startsWith(']]', close)) return undefined;
  const [target = '', label] = inside.slice(0, close).split('|', 2);
  const address = withoutAnchor(target).trim();
  if (address === '') return undefined;
  return { start, end: start + close + 4, target: address, label: (label ?? address).trim(), form: 'wiki' };
}

function readMarkdown(text: string, start: number): LinkSpan | undefined {
  const rest = text.slice(start + 1, start + 1 + longestLabel);
  const close = rest.search(/[\][]/);
  if (close <= 0 || rest[close] !== ']' || rest[close + 1] !== '(') return undefined;
  const from = start + close + 3;
  const address = readAddress(text.slice(from, from + longestTarget));
  if (!address) return undefined;
  return { start, end: from + address.length, target: address.target, label: rest.slice(0, close), form: 'markdown' };
}

/** `path)`, `<path with blanks>)`, `path "title")`, and brackets in pairs inside the path. */
function readAddress(text: string): { target: string; length: number } | undefined {
  if (text.startsWith('<')) {
    const end = text.slice(1).search(/[<>\n]/) + 1;
    return text.startsWith('>)', end) ? { target: withoutAnchor(text.slice(1, end)), length: end + 2 } : undefined;
  }
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\n' || depth > deepestBrackets) return undefined;
    if (char === '(') depth += 1;
    if (char !== ')') continue;
    if (depth > 0) depth -= 1;
    else {
      const target = withoutAnchor(text.slice(0, at).trim().split(/\s/, 1)[0] ?? '');
      return target === '' ? undefined : { target, length: at + 1 };
    }
  }
  return undefined;
}

function withoutAnchor(address: string): string {
  const hash = address.indexOf('#');
  return hash < 0 ? address : address.slice(0, hash);
}
