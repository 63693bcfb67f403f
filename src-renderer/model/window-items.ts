import type { AssembleTrace, TraceItem } from '../../src-shared/model/trace.ts';
import type { Reply } from '../client/engine-client.ts';
import { segmentKindWords } from './segment-kinds.ts';
import { pageUriOf } from './page-words.ts';
import { stepFold } from './step-fold.ts';
import type { DecisionRow } from './decision-rows.ts';

/** One item of the window that was sent. */
export interface WindowItem {
  /** From 1, as the model reads them. */
  readonly order: number;
  readonly row: DecisionRow;
  /** By our tokenizer. */
  readonly tokens: number;
  /** Of all tokens that were sent, 0 to 1. */
  readonly share: number;
  /** How old it was when the call was made (ms); undefined where nothing says when it came to be. */
  readonly age: number | undefined;
  readonly tool: string | undefined;
  readonly page: string | undefined;
}

export type WindowGrouping = 'none' | 'kind' | 'tool' | 'page' | 'source';
export type WindowSort = 'order' | 'kind' | 'source' | 'tokens' | 'age';

/** A line of the table: an item, or the group that the items after it belong to. */
export type WindowLine =
  | { readonly item: WindowItem; readonly group?: undefined }
  | { readonly group: WindowGroup; readonly item?: undefined };

export interface WindowGroup {
  readonly name: string;
  readonly items: number;
  readonly tokens: number;
  readonly share: number;
}

/** @param reply the messages of the call, once they are there: tools and ages stand in them */
export function windowItems(trace: AssembleTrace, reply: Reply<'callMessages'> | undefined): readonly WindowItem[] {
  const fold = stepFold(trace);
  const rows = fold.windowAt(fold.rows.length - 1);
  const all = rows.reduce((sum, { decision }) => sum + decision.tokens_after, 0);
  const bodies = new Map(reply?.messages.map(({ item, message }) => [item, message]));
  const tools = toolNames(reply);
  const madeAt = Date.parse(trace.created_at);
  return rows.map((row, index) => {
    const body = bodies.get(row.decision.item);
    const cameAt = timeOf(body, row.item);
    return {
      order: index + 1,
      row,
      tokens: row.decision.tokens_after,
      share: all === 0 ? 0 : row.decision.tokens_after / all,
      age: cameAt === undefined ? undefined : Math.max(0, madeAt - cameAt),
      tool: toolOf(body, tools),
      page: row.item?.uri === undefined ? undefined : pageUriOf(row.item.uri)?.path,
    };
  });
}

/** The lines in their order; groups by their tokens, the largest first. */
export function windowLines(
  items: readonly WindowItem[],
  grouping: WindowGrouping,
  sort: WindowSort,
  descending: boolean,
): readonly WindowLine[] {
  const sorted = [...items].sort((one, other) => {
    const [a, b] = [sortValue(one, sort), sortValue(other, sort)];
    const by = a < b ? -1 : a > b ? 1 : 0;
    return (descending ? -by : by) || one.order - other.order;
  });
  if (grouping === 'none') return sorted.map((item) => ({ item }));
  const groups = Map.groupBy(sorted, (item) => groupName(item, grouping));
  const sum = (list: readonly WindowItem[]) => list.reduce((total, { tokens }) => total + tokens, 0);
  const all = Math.max(1, sum(items));
  return [...groups]
    .map(([name, list]) => ({
      group: { name, items: list.length, tokens: sum(list), share: sum(list) / all },
      list,
    }))
    .sort((one, other) => other.group.tokens - one.group.tokens)
    .flatMap(({ group, list }) => [{ group }, ...list.map((item) => ({ item }))]);
}

/** Where an item comes from, in a word. */
export function sourceWord(item: TraceItem | undefined): string {
  switch (item?.source) {
    case 'host':
      return 'host';
    case 'store':
      return 'log';
    case 'engine':
      return 'engine';
    case undefined:
      return 'unknown';
  }
}

function groupName(item: WindowItem, grouping: Exclude<WindowGrouping, 'none'>): string {
  switch (grouping) {
    case 'kind':
      return item.row.item === undefined ? 'Unknown' : segmentKindWords(item.row.item.kind).name;
    case 'tool':
      return item.tool ?? 'No tool';
    case 'page':
      return item.page ?? 'No page';
    case 'source':
      return `From the ${sourceWord(item.row.item)}`;
  }
}

function sortValue(item: WindowItem, sort: WindowSort): number | string {
  switch (sort) {
    case 'order':
      return item.order;
    case 'kind':
      return item.row.item?.kind ?? '';
    case 'source':
      return sourceWord(item.row.item);
    case 'tokens':
      return item.tokens;
    case 'age':
      return item.age ?? -1;
  }
}

/** When it was said; what is read anew for each call has the time of that reading. */
function timeOf(body: unknown, item: TraceItem | undefined): number | undefined {
  const time = isRecord(body) ? body['timestamp'] : undefined;
  if (typeof time === 'number' && time > 0) return time;
  const text = typeof time === 'string' ? time : item?.as_of;
  const parsed = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(parsed) ? undefined : parsed;
}

/** Names of tools by the ids of their calls: in one of the two formats a result has only the id. */
function toolNames(reply: Reply<'callMessages'> | undefined): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { message } of reply?.messages ?? []) {
    for (const { id, name } of toolCalls(message)) if (id !== undefined) names.set(id, name);
  }
  return names;
}

function toolOf(body: unknown, names: ReadonlyMap<string, string>): string | undefined {
  if (!isRecord(body)) return undefined;
  if (typeof body['toolName'] === 'string') return body['toolName'];
  const id = body['toolCallId'] ?? body['tool_call_id'];
  if (typeof id === 'string') return names.get(id);
  return toolCalls(body)[0]?.name;
}

function toolCalls(message: unknown): { readonly id: string | undefined; readonly name: string }[] {
  if (!isRecord(message)) return [];
  const parts = [message['content'], message['tool_calls']].flatMap((list): unknown[] =>
    Array.isArray(list) ? list : [],
  );
  return parts.filter(isRecord).flatMap((part) => {
    const named = isRecord(part['function']) ? part['function'] : part;
    const isCall = ['toolCall', 'tool_use', 'function'].includes(String(part['type']));
    const id = typeof part['id'] === 'string' ? part['id'] : undefined;
    return isCall && typeof named['name'] === 'string' ? [{ id, name: named['name'] }] : [];
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
