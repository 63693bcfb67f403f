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

const blocks = new RegExp(`<(${injectedTags.join('|')})(?:\\s[^>]*)?>[\\s\\S]*?</\\1>[ \\t]*\\n?`, 'g');
const hostInternal = /<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>[\s\S]*?<<<END_OPENCLAW_INTERNAL_CONTEXT>>>[ \t]*\n?/g;

export interface StrippedText {
  /** The text without injected blocks; all other whitespace as it was. */
  readonly text: string;
  /** The blocks that were taken out, whole. */
  readonly removed: readonly string[];
}

/** Inside a fenced code block a tag is something that somebody shows, not something that was injected. */
export function stripInjected(text: string): StrippedText {
  if (!text.includes('<')) return { text, removed: [] };
  const removed: string[] = [];
  const strip = (outside: string): string => outside.replace(blocks, take).replace(hostInternal, take);
  const take = (block: string): string => {
    removed.push(block);
    return '';
  };
  const stripped = text
    .split(/(^```[\s\S]*?^```[^\n]*$)/m)
    .map((piece, index) => (index % 2 === 0 ? strip(piece) : piece))
    .join('');
  return { text: stripped, removed };
}
