import { fitLines } from './fit-lines.ts';
import { firstLines, forEachLine, lastLines } from './text-lines.ts';
import { oneLine } from './visible-text.ts';

const looked = 100;
/** Share of the first lines that must look like a log's. */
const share = 0.5;
const mostTroubles = 12;
const edgeLines = 3;
/** Different troubles that are told apart; more of them are only counted. */
const mostKinds = 500;

const time = /^\W{0,3}(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{10,13}\b)/;
const level = /(?:^|[\s[(|"=:])(TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|ERR|FATAL|CRITICAL|PANIC)(?=[\s\]):|",]|$)/i;

export function isLog(text: string): boolean {
  const lines = firstLines(text, looked);
  if (lines.length < 5) return false;
  const alike = lines.filter((line) => time.test(line) || level.test(line.slice(0, 80))).length;
  return alike >= share * lines.length;
}

export function logSynopsis(text: string, max: number): string {
  const levels = new Map<string, number>();
  const troubles = new Map<string, { readonly line: string; readonly number: number; count: number }>();
  let lines = 0;
  forEachLine(text, (line, index) => {
    lines += 1;
    const found = level.exec(line.slice(0, 120))?.[1];
    if (found === undefined) return;
    const name = nameOf(found);
    levels.set(name, (levels.get(name) ?? 0) + 1);
    if (!isTrouble(name)) return;
    // Times and numbers aside, the same message is one trouble.
    const kind = `${name} ${line
      .replace(time, '')
      .replace(/[\d.:-]+|0x[\da-f]+/gi, '#')
      .slice(0, 160)}`;
    const known = troubles.get(kind);
    if (known) known.count += 1;
    else if (troubles.size < mostKinds) troubles.set(kind, { line, number: index + 1, count: 1 });
  });
  const counts = [...levels].map(([name, count]) => `${name} ${count}`).join(', ');
  const shown = [...troubles.values()].slice(0, mostTroubles);
  return fitLines(
    [
      `Log: ${lines} lines${counts === '' ? '' : `; ${counts}`}`,
      'first lines:',
      ...firstLines(text, edgeLines).map((line) => `  ${oneLine(line, 180)}`),
      'last lines:',
      ...lastLines(text, edgeLines).map((line) => `  ${oneLine(line, 180)}`),
      ...(shown.length > 0 ? [`errors, ${troubles.size} different:`] : []),
      ...shown.map(
        (one) => `  line ${one.number}${one.count > 1 ? ` (× ${one.count})` : ''}: ${oneLine(one.line, 200)}`,
      ),
    ],
    max,
  );
}

function nameOf(found: string): string {
  const upper = found.toUpperCase();
  if (upper === 'WARN') return 'WARNING';
  return upper === 'ERR' ? 'ERROR' : upper;
}

function isTrouble(name: string): boolean {
  return ['ERROR', 'FATAL', 'CRITICAL', 'PANIC'].includes(name);
}
