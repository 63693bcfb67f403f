/**
 * Blocks that engines put into messages: ours, and those of products people come from. They are context, not
 * something the user or the model said. Tags as documented by the products themselves.
 */
const injectedTags = [
  'strata-context',
  'strata-summary',
  'relevant-memories',
  'relevant_memories',
  'hindsight_memories',
  'active_memory_plugin',
  'supermemory-context',
] as const;

const hostOpening = '<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>';
const hostClosing = '<<<END_OPENCLAW_INTERNAL_CONTEXT>>>';

/** What may start something: a code fence on its line, an injected block, a block of the host's own. */
const starts = new RegExp(
  `^ {0,3}(?<fence>\`{3,}|~{3,})|<(?<tag>${injectedTags.join('|')})(?:\\s[^<>]{0,2000})?>|${hostOpening}`,
  'gm',
);

export interface StrippedText {
  /** The text without injected blocks; all other whitespace as it was. */
  readonly text: string;
  /** The blocks that were taken out, whole. */
  readonly removed: readonly string[];
}

/** Inside a code block or between backticks a tag is something that somebody shows, not something injected. */
export function stripInjected(text: string): StrippedText {
  if (!text.includes('<')) return { text, removed: [] };
  const closings = new Closings(text);
  const removed: string[] = [];
  let kept = '';
  let done = 0;
  starts.lastIndex = 0;
  for (let match = starts.exec(text); match; match = starts.exec(text)) {
    const { fence, tag } = match.groups ?? {};
    if (fence !== undefined) {
      starts.lastIndex = closings.ofFence(fence, starts.lastIndex) ?? starts.lastIndex;
      continue;
    }
    const closing = tag === undefined ? hostClosing : `</${tag}>`;
    const end = isQuoted(text, match.index) ? undefined : closings.ofBlock(closing, starts.lastIndex);
    if (end === undefined) continue;
    const after = withLineBreak(text, match.index, end);
    removed.push(text.slice(match.index, after));
    kept += text.slice(done, match.index);
    done = after;
    starts.lastIndex = after;
  }
  return { text: kept + text.slice(done), removed };
}

/** Finds what closes a block or a fence. What is not there is looked for once, so that a text of openings stays cheap. */
class Closings {
  readonly #text: string;
  readonly #absentTags = new Set<string>();
  /** By character of the fence: from this length on there is no closing one. */
  readonly #absentFences = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the closing tag ends. */
  ofBlock(closing: string, from: number): number | undefined {
    const found = this.#absentTags.has(closing) ? -1 : this.#text.indexOf(closing, from);
    if (found !== -1) return found + closing.length;
    this.#absentTags.add(closing);
    return undefined;
  }

  /**
   * Where the line that closes a fence ends. As in CommonMark it is made of the same character, at least as many of
   * them; a fence that is never closed is none, so that what was injected behind it is still found.
   */
  ofFence(fence: string, from: number): number | undefined {
    const mark = fence[0] ?? '';
    if (fence.length >= (this.#absentFences.get(mark) ?? Infinity)) return undefined;
    const closing = new RegExp(`^ {0,3}${mark}{${fence.length},}[ \\t]*\\r?$`, 'gm');
    closing.lastIndex = from;
    if (closing.test(this.#text)) return closing.lastIndex;
    this.#absentFences.set(mark, fence.length);
    return undefined;
  }
}

/** An odd number of backticks before it on its line; bounded, because a line may be as long as the text. */
function isQuoted(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 200), index);
  return before.slice(before.lastIndexOf('\n') + 1).split('`').length % 2 === 0;
}

/** A block on lines of its own takes its line break along; what stands beside somebody's words leaves it. */
function withLineBreak(text: string, start: number, end: number): number {
  if (start > 0 && text[start - 1] !== '\n') return end;
  const lineBreak = /[ \t]*\r?\n/y;
  lineBreak.lastIndex = end;
  return lineBreak.test(text) ? lineBreak.lastIndex : end;
}
