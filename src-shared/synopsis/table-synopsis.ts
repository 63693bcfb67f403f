import { fitLines } from './fit-lines.ts';
import { firstLines } from './text-lines.ts';
import { oneLine } from './visible-text.ts';

type Delimiter = ',' | '\t' | ';';

const names: Readonly<Record<Delimiter, string>> = {
  ',': 'Comma-separated table',
  '\t': 'Tab-separated table',
  ';': 'Semicolon-separated table',
};

/** Lines whose fields are counted to recognise a table. */
const looked = 30;
const edgeRows = 3;
const mostColumns = 60;
/** Rows that the kind of a column is guessed from. */
const typedRows = 1_000;
/** A record is cut here: a quote that never closes would make the rest of the text one record. */
const longestRecord = 100_000;

/** The delimiter of a text that is a table: the same number of fields in its first lines. */
export function findDelimiter(text: string): Delimiter | undefined {
  const lines = firstLines(text, looked);
  if (lines.length < 4) return undefined;
  for (const delimiter of ['\t', ',', ';'] as const) {
    const [header, ...rest] = lines.map((line) => splitRecord(line, delimiter));
    if (header === undefined || header.length < (delimiter === '\t' ? 2 : 3)) continue;
    const alike = rest.filter((fields) => fields.length === header.length).length;
    // A number in front is a line's number, not the name of a column.
    const isHeader = header.every((name) => /\D/.test(name.trim()) && name.length <= 80);
    if (isHeader && alike >= 0.9 * rest.length) return delimiter;
  }
  return undefined;
}

export function tableSynopsis(text: string, delimiter: Delimiter, max: number): string {
  let header: string[] = [];
  let rows = 0;
  const first: string[] = [];
  const last: string[] = [];
  const columns: ColumnFacts[] = [];
  forEachRecord(text, (record) => {
    if (record.trim() === '') return;
    const isTyped = rows <= typedRows;
    if (header.length === 0) {
      header = splitRecord(record, delimiter);
      columns.push(...header.slice(0, mostColumns).map(() => new ColumnFacts()));
      return;
    }
    rows += 1;
    if (isTyped) {
      const fields = splitRecord(record, delimiter);
      columns.forEach((column, index) => column.take(fields[index] ?? ''));
    }
    if (first.length < edgeRows) first.push(record);
    else {
      last.push(record);
      if (last.length > edgeRows) last.shift();
    }
  });
  const titled = columns.map((column, index) => `${oneLine(header[index] ?? '', 40)} (${column.kind()})`);
  const more = header.length > mostColumns ? `, … ${header.length - mostColumns} more` : '';
  return fitLines(
    [
      `${names[delimiter]}: ${rows} rows, ${header.length} columns`,
      `columns: ${titled.join(', ')}${more}`,
      'first rows:',
      ...first.map((row) => `  ${oneLine(row, 200)}`),
      ...(last.length > 0 ? ['last rows:', ...last.map((row) => `  ${oneLine(row, 200)}`)] : []),
    ],
    max,
  );
}

class ColumnFacts {
  #numbers = 0;
  #dates = 0;
  #texts = 0;
  #empty = 0;

  take(field: string): void {
    const value = field.slice(0, 40).trim();
    if (value === '') this.#empty += 1;
    else if (/^[-+]?[\d.,]{1,30}(?:e[-+]?\d{1,3})?%?$/i.test(value)) this.#numbers += 1;
    else if (/^\d{4}-\d\d-\d\d|^\d{1,2}[/.]\d{1,2}[/.]\d{2,4}/.test(value)) this.#dates += 1;
    else this.#texts += 1;
  }

  kind(): string {
    const kinds = [
      this.#numbers > 0 ? 'number' : '',
      this.#dates > 0 ? 'date' : '',
      this.#texts > 0 ? 'text' : '',
    ].filter((kind) => kind !== '');
    const kind = kinds.join('|') || 'empty';
    return this.#empty > 0 && kinds.length > 0 ? `${kind}, some empty` : kind;
  }
}

/** Records end at line breaks outside of quotes. One pass over the text. */
function forEachRecord(text: string, each: (record: string) => void): void {
  let start = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === 34) quoted = !quoted;
    else if (unit === 10 && (!quoted || index - start > longestRecord)) {
      each(text.slice(start, index));
      start = index + 1;
      quoted = false;
    }
  }
  if (start < text.length) each(text.slice(start));
}

function splitRecord(record: string, delimiter: Delimiter): string[] {
  const fields: string[] = [];
  let field = '';
  let quoted = false;
  for (let index = 0; index < record.length && fields.length < 2_000; index += 1) {
    const character = record[index] ?? '';
    if (character === '"') {
      const isDoubled = quoted && record[index + 1] === '"';
      if (isDoubled) {
        field += '"';
        index += 1;
      } else quoted = !quoted;
    } else if (character === delimiter && !quoted) {
      fields.push(field);
      field = '';
    } else field += character;
  }
  fields.push(field);
  return fields;
}
