/** Tags in which models reason within their text. */
const tags = '(?:think|thinking|thought|reasoning|reflection|scratchpad)';
const closed = new RegExp(`<(${tags})\\b[^<>]{0,100}>[^]*?</\\1\\s*>`, 'gi');
const opened = new RegExp(`<${tags}\\b[^<>]{0,100}>[^]*$`, 'i');
const closing = new RegExp(`^[^]*</${tags}\\s*>`, 'i');
/** What the chat format of gpt-oss writes where an endpoint does not take it apart. */
const analysis = /<\|channel\|>(?:analysis|commentary)[^]*?(?:<\|end\|>|(?=<\|channel\|>final)|$)/g;
const control = /<\|(?:start|end|channel|message|return|im_start|im_end)\|>(?:final|assistant)?/g;

/**
 * A text without its writer's reasoning. What opens and never closes is reasoning to the end; what only closes was
 * reasoning from the beginning.
 */
export function stripReasoning(text: string): string {
  const plain = text.includes('<|') ? text.replace(analysis, '').replace(control, '') : text;
  if (!plain.includes('<')) return plain;
  return plain.replace(closed, '').replace(opened, '').replace(closing, '');
}
