/** Sentences of a text in order; code fences and table rows count as one, Chinese full stops end a sentence too. */
export function splitSentences(text: string): string[] {
  return withoutFences(text)
    .split(/(?<=[.!?])\s+(?=\S)|(?<=[。！？；])|\n+/u)
    .map((sentence) => sentence.replace(/\s+/gu, ' ').trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

const fence = '```';

/** Blocks become their first line; what is opened and never closed stays. */
function withoutFences(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let open = text.indexOf(fence); open !== -1; open = text.indexOf(fence, from)) {
    const inside = open + fence.length;
    const close = text.indexOf(fence, inside);
    if (close === -1) break;
    // The line of the fence names the language, unless the block ends on it.
    const block = text.slice(inside, close);
    const lineEnd = block.indexOf('\n');
    const first = lineEnd === -1 ? block : (block.slice(lineEnd + 1).split('\n', 1)[0] ?? '');
    kept.push(text.slice(from, open), first);
    from = close + fence.length;
  }
  return [...kept, text.slice(from)].join('\n');
}
