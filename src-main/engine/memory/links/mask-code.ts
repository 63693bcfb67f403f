/**
 * The text with code and HTML comments as blanks of the same length, so that positions stay: what stands in code is no
 * statement. One pass over lines and one over backticks.
 */
export function maskCode(text: string): string {
  return maskSpans(maskFences(maskComments(text)));
}

function blanks(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

function maskComments(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const from = text.indexOf('<!--', at);
    const to = from < 0 ? -1 : text.indexOf('-->', from + 4);
    if (to < 0) return parts.join('') + text.slice(at);
    parts.push(text.slice(at, from), blanks(text.slice(from, to + 3)));
    at = to + 3;
  }
}

function maskFences(text: string): string {
  let fence: string | undefined;
  return text
    .split('\n')
    .map((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (fence === undefined) {
        fence = mark;
        return mark === undefined ? line : blanks(line);
      }
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = undefined;
      return blanks(line);
    })
    .join('\n');
}

/** Inline code: from a run of backticks to the next run of the same length; looked for in the rest of the paragraph only. */
function maskSpans(text: string): string {
  if (!text.includes('`')) return text;
  return text
    .split(/(\n[ \t]*\n)/)
    .map((paragraph) => maskParagraph(paragraph))
    .join('');
}

function maskParagraph(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map((run) => ({ at: run.index, length: run[0].length }));
  const nextOfLength = new Map<number, number[]>();
  for (const [index, run] of runs.entries()) {
    const indices = nextOfLength.get(run.length);
    if (indices) indices.push(index);
    else nextOfLength.set(run.length, [index]);
  }
  const parts: string[] = [];
  const used = new Map<number, number>();
  let at = 0;
  for (let index = 0; index < runs.length; index += 1) {
    const open = runs[index];
    if (!open) break;
    const same = nextOfLength.get(open.length) ?? [];
    let next = used.get(open.length) ?? 0;
    while (next < same.length && (same[next] ?? 0) <= index) next += 1;
    used.set(open.length, next);
    const closeIndex = same[next];
    const close = closeIndex === undefined ? undefined : runs[closeIndex];
    if (!close || closeIndex === undefined) continue;
    parts.push(text.slice(at, open.at), blanks(text.slice(open.at, close.at + close.length)));
    at = close.at + close.length;
    index = closeIndex;
  }
  return parts.join('') + text.slice(at);
}
