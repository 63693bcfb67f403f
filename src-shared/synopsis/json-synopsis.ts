import { fitLines } from './fit-lines.ts';
import { oneLine } from './visible-text.ts';

const deepest = 4;
const mostKeys = 40;
const mostFields = 60;
/** Items of a list that are looked at for its fields; the rest is assumed to be alike. */
const mostItems = 5_000;
const itemLength = 240;

/** What a text holds as JSON, or as one JSON value per line; undefined when it is neither. */
export function parseJson(text: string): { readonly value: unknown; readonly perLine: boolean } | undefined {
  const first = /\S/.exec(text.slice(0, 10_000))?.[0];
  if (first !== '{' && first !== '[') return undefined;
  try {
    return { value: JSON.parse(text) as unknown, perLine: false };
  } catch {
    // Not one value: perhaps one per line.
    return parseLines(text);
  }
}

export function jsonSynopsis(parsed: { readonly value: unknown; readonly perLine: boolean }, max: number): string {
  const lines = describe(parsed.value, 0);
  const [head = '', ...rest] = lines;
  return fitLines([`${parsed.perLine ? 'JSON, one value per line: ' : 'JSON: '}${head}`, ...rest], max);
}

function parseLines(text: string): { readonly value: unknown; readonly perLine: boolean } | undefined {
  const values: unknown[] = [];
  let start = 0;
  while (start < text.length) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    const line = text.slice(start, end).trim();
    start = end + 1;
    if (line === '') continue;
    try {
      values.push(JSON.parse(line));
    } catch {
      return undefined;
    }
  }
  return values.length > 1 ? { value: values, perLine: true } : undefined;
}

function describe(value: unknown, depth: number): string[] {
  const indent = '  '.repeat(depth);
  if (Array.isArray(value)) return describeList(value, depth, indent);
  if (isFields(value)) return describeFields(value, depth, indent);
  return [`${typeName(value)} ${compact(value, 80)}`];
}

function describeFields(value: Readonly<Record<string, unknown>>, depth: number, indent: string): string[] {
  const keys = Object.keys(value);
  const lines = [`object with ${counted(keys.length, 'key')}`];
  if (depth >= deepest) return [`${lines[0] ?? ''}: ${oneLine(keys.slice(0, 20).join(', '), 160)}`];
  for (const key of keys.slice(0, mostKeys)) {
    const [head = '', ...rest] = describe(value[key], depth + 1);
    lines.push(`${indent}- ${oneLine(key, 60)}: ${head}`, ...rest);
  }
  if (keys.length > mostKeys) lines.push(`${indent}- … ${keys.length - mostKeys} more keys`);
  return lines;
}

function describeList(list: readonly unknown[], depth: number, indent: string): string[] {
  if (list.length === 0) return ['empty list'];
  const types = new Map<string, number>();
  for (const item of list) types.set(typeName(item), (types.get(typeName(item)) ?? 0) + 1);
  const kinds = [...types].map(([type, count]) => (types.size === 1 ? type : `${type} × ${count}`)).join(', ');
  const lines = [`list of ${counted(list.length, 'item')} (${kinds})`];
  if (depth >= deepest) return lines;
  const fields = fieldsOf(list);
  if (fields !== '') lines.push(`${indent}  fields: ${fields}`);
  lines.push(`${indent}  first: ${compact(list[0], itemLength)}`);
  if (list.length > 1) lines.push(`${indent}  last: ${compact(list.at(-1), itemLength)}`);
  return lines;
}

/** Keys of the objects in a list, with their types, and how many objects have a key that not all have. */
function fieldsOf(list: readonly unknown[]): string {
  const fields = new Map<string, { count: number; readonly types: Set<string> }>();
  let objects = 0;
  for (const item of list.slice(0, mostItems)) {
    if (!isFields(item)) continue;
    objects += 1;
    for (const key of Object.keys(item)) {
      const known = fields.get(key);
      if (known === undefined && fields.size >= mostFields) continue;
      const field = known ?? { count: 0, types: new Set<string>() };
      field.count += 1;
      field.types.add(typeName(item[key]));
      fields.set(key, field);
    }
  }
  const named = [...fields].map(([key, { count, types }]) => {
    const rare = count < objects ? ` in ${count} of ${objects}` : '';
    return `${oneLine(key, 60)} ${[...types].join('|')}${rare}`;
  });
  return named.join(', ');
}

/** JSON text of a value up to so many characters; a huge value costs no more than a small one. */
function compact(value: unknown, max: number): string {
  const parts: string[] = [];
  let left = max;
  const put = (text: string): void => {
    parts.push(text);
    left -= text.length;
  };
  const write = (item: unknown, depth: number): void => {
    if (left <= 0) return;
    if (typeof item === 'string') return put(`"${oneLine(item, Math.min(120, left + 1))}"`);
    if (typeof item === 'number' && Number.isInteger(item) && !Number.isSafeInteger(item)) return put(`about ${item}`);
    if (typeof item !== 'object' || item === null) return put(String(item));
    const isList = Array.isArray(item);
    if (depth >= 6) return put(isList ? '[…]' : '{…}');
    put(isList ? '[' : '{');
    let index = 0;
    for (const key in item) {
      if (left <= 0) break;
      if (index > 0) put(',');
      if (!isList) put(`"${oneLine(key, 60)}":`);
      // Own keys of a parsed value; `key` came from itself.
      write((item as Readonly<Record<string, unknown>>)[key], depth + 1);
      index += 1;
    }
    put(isList ? ']' : '}');
  };
  write(value, 0);
  return oneLine(parts.join(''), max);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
