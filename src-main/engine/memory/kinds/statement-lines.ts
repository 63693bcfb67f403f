import { plainMarkdownLine } from '../pages/grammar/plain-markdown.ts';

export interface PlacedStatement {
  readonly text: string;
  readonly topic?: string | undefined;
  readonly replaces?: string | undefined;
  readonly section?: string | undefined;
}

/** Whether the text says it already: word for word in one of its lines, apart from case, width, marks and spaces. */
export function holdsStatement(truth: string, statement: string): boolean {
  const wanted = folded(statement);
  if (wanted === '') return true;
  return truth.split(/\r?\n/).some((line) => {
    const found = folded(line);
    return found === wanted || afterTopic(found) === wanted;
  });
}

/**
 * The statement in the place of what was said about the same: of the line it replaces, of the line of its topic, or of the
 * whole where the page is about one thing and says one thing. A text of several lines, that may be a person's, only gets
 * one more.
 */
export function mergeStatement(truth: string, statement: PlacedStatement, hasTopics: boolean): string {
  const lines = truth.split(/\r?\n/);
  const line = lineOf(statement, hasTopics);
  const at = placeOf(lines, statement);
  if (at >= 0) {
    const bullet = /^\s*[-*+]\s+/.exec(lines[at] ?? '')?.[0] ?? '';
    lines[at] = bullet + line.replace(/^- /, '');
    return lines.join('\n').trim();
  }
  const said = lines.filter((text) => text.trim() !== '' && !/^#{1,6}\s/.test(text));
  const only = said.length === 1 ? lines.indexOf(said[0] ?? '') : -1;
  if (hasTopics || statement.topic !== undefined || only < 0) return addStatement(truth, statement, hasTopics);
  const bullet = /^\s*[-*+]\s+/.exec(lines[only] ?? '')?.[0] ?? '';
  lines[only] = bullet + oneLine(statement.text);
  return lines.join('\n').trim();
}

/** The statement as one more line: below its heading, else at the end. */
export function addStatement(truth: string, statement: PlacedStatement, hasTopics = false): string {
  const text = truth.trim();
  const line = lineOf(statement, hasTopics);
  if (text === '' && statement.section === undefined) return hasTopics ? line : oneLine(statement.text);
  if (statement.section === undefined) return joined(text, asBullet(line));
  const lines = text.split(/\r?\n/);
  const wanted = folded(statement.section);
  const heading = lines.findIndex((found) => /^#{1,6}\s/.test(found) && folded(found) === wanted);
  if (heading < 0) return `${text}${text === '' ? '' : '\n\n'}## ${oneLine(statement.section)}\n\n${asBullet(line)}`;
  let end = lines.findIndex((found, at) => at > heading && /^#{1,6}\s/.test(found));
  if (end < 0) end = lines.length;
  while (end > heading + 1 && lines[end - 1]?.trim() === '') end -= 1;
  lines.splice(end, 0, ...(end === heading + 1 ? ['', asBullet(line)] : [asBullet(line)]));
  return lines.join('\n');
}

function placeOf(lines: readonly string[], { replaces, topic }: PlacedStatement): number {
  if (replaces !== undefined && folded(replaces) !== '') {
    const wanted = folded(replaces);
    const found = lines.findIndex((line) => folded(line) === wanted || afterTopic(folded(line)) === wanted);
    if (found >= 0) return found;
  }
  if (topic === undefined || folded(topic) === '') return -1;
  const wanted = folded(topic);
  return lines.findIndex((line) => beforeColon(folded(line)) === wanted);
}

function lineOf({ text, topic }: PlacedStatement, hasTopics: boolean): string {
  if (!hasTopics || topic === undefined) return hasTopics ? `- ${oneLine(text)}` : oneLine(text);
  return `- ${oneLine(topic)}: ${oneLine(text)}`;
}

function asBullet(line: string): string {
  return /^[-*+]\s/.test(line) ? line : `- ${line}`;
}

/** A list goes on; behind a paragraph or heading it begins after an empty line. */
function joined(text: string, line: string): string {
  const last = text.slice(text.lastIndexOf('\n') + 1);
  return `${text}${/^\s*[-*+]\s/.test(last) ? '\n' : '\n\n'}${line}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function folded(text: string): string {
  return plainMarkdownLine(text.replace(/\s+/g, ' '))
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[.。!！]+$/, '')
    .trim();
}

function beforeColon(line: string): string {
  const colon = line.search(/[:：]/);
  return colon < 0 ? '' : line.slice(0, colon).trim();
}

function afterTopic(line: string): string {
  const colon = line.search(/[:：]/);
  return colon < 0 ? line : line.slice(colon + 1).trim();
}
