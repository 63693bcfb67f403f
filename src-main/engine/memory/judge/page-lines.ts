/** One line of what a page holds to be true. */
export interface StatementLine {
  /** As it stands in the page. */
  readonly line: string;
  /** Without list mark and label. */
  readonly text: string;
  /** What it is about, where the line says so: "- Residence: …". */
  readonly label: string | undefined;
}

/** Statements of a page: its lines without headings, rules, comments and code. */
export function statementLines(truth: string): StatementLine[] {
  const lines: StatementLine[] = [];
  let isCode = false;
  for (const line of truth.split(/\r\n?|\n/)) {
    if (/^\s{0,3}(?:```|~~~)/.test(line)) isCode = !isCode;
    else if (!isCode && /[\p{L}\p{N}]/u.test(line) && !/^\s{0,3}(?:#{1,6}\s|<!--|>|\|)/.test(line))
      lines.push(read(line));
  }
  return lines;
}

function read(line: string): StatementLine {
  const content = line.replace(/^\s*(?:[-*+]\s+|\d{1,3}[.)]\s+)?/, '').trim();
  const label = /^\**(?<label>[\p{L}][\p{L}\p{N} /&-]{0,40})\**[:：]\**\s+(?=\S)/u.exec(content);
  if (!label) return { line, text: content, label: undefined };
  return { line, text: content.slice(label[0].length), label: label.groups?.['label'] };
}

/** The truth without some of its lines; what stands around them keeps its bytes. */
export function withoutLines(truth: string, gone: readonly string[]): string {
  const left = [...gone];
  const kept = truth.split(/(?<=\n)/).filter((line) => {
    const at = left.indexOf(line.replace(/[\r\n]+$/, ''));
    if (at === -1) return true;
    left.splice(at, 1);
    return false;
  });
  return kept.join('');
}

/** The truth with one more statement at its end. */
export function withLine(truth: string, statement: string): string {
  const kept = truth.trimEnd();
  const isList = /(?:^|\n)\s*[-*+]\s[^\n]*$/.test(kept);
  if (kept === '') return `- ${statement}`;
  return `${kept}${isList ? '\n' : '\n\n'}- ${statement}`;
}
