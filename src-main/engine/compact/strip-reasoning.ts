/** Tags in which models reason within their text. */
const tags = 'think|thinking|thought|reasoning|reflection|scratchpad';
const anyTag = new RegExp(`<(${tags})\\b[^<>]{0,100}>|</(${tags})\\s*>`, 'gi');
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
  return withoutTags(plain);
}

/** Goes over the tags once: a model that repeats itself writes thousands of them. */
function withoutTags(text: string): string {
  const found = [...text.matchAll(anyTag)];
  /** For each name the places of its closing tags, the last one first. */
  const closings = new Map<string, RegExpExecArray[]>();
  for (const tag of found.toReversed()) {
    const name = tag[2]?.toLowerCase();
    if (name === undefined) continue;
    const known = closings.get(name);
    if (known) known.push(tag);
    else closings.set(name, [tag]);
  }
  let kept: string[] = [];
  let from = 0;
  for (const tag of found) {
    if (tag.index < from) continue;
    if (tag[1] === undefined) {
      kept = [];
      from = tag.index + tag[0].length;
      continue;
    }
    kept.push(text.slice(from, tag.index));
    const closing = nextAfter(tag.index, closings.get(tag[1].toLowerCase()) ?? []);
    if (!closing) return kept.join('');
    from = closing.index + closing[0].length;
  }
  return [...kept, text.slice(from)].join('');
}

/** Takes away what lies before, since nobody asks for that again. */
function nextAfter(index: number, lastFirst: RegExpExecArray[]): RegExpExecArray | undefined {
  while ((lastFirst.at(-1)?.index ?? index) < index) lastFirst.pop();
  return lastFirst.at(-1);
}
