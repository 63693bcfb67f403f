import type { AssembleTrace, SegmentKind } from '../../src-shared/model/trace.ts';
import type { Reply } from '../client/engine-client.ts';
import { formatCount } from './format-number.ts';
import { itemLabel } from './item-label.ts';

/** One message of the list that was answered. */
export interface SentEntry {
  readonly item: string;
  /** Undefined for messages that the engine made of several items. */
  readonly kind: SegmentKind | undefined;
  readonly role: string;
  /** Where it comes from, such as `host 3 · turn 17`. */
  readonly origin: string;
  readonly tokens: number | undefined;
  readonly preview: string;
  /** The message, when its body is still stored. */
  readonly body: { readonly message: unknown } | undefined;
}

export function sentEntries(trace: AssembleTrace, reply: Reply<'callMessages'>): readonly SentEntry[] {
  const items = new Map(trace.items.map((item) => [item.item, item]));
  const bodies = new Map(reply.messages.map((entry) => [entry.item, entry]));
  return trace.output.map((entry): SentEntry => {
    const item = items.get(entry.item);
    const body = bodies.get(entry.item);
    const role = item?.role ?? roleOf(body?.message);
    const origin = 'host' in entry ? `host ${formatCount(entry.host)}` : 'ours';
    return {
      item: entry.item,
      kind: item?.kind ?? (role === 'compactionSummary' ? 'summary' : undefined),
      role,
      origin: item === undefined ? origin : `${origin} · ${itemLabel(item)}`,
      tokens: item?.tokens,
      preview: item?.preview ?? '',
      body,
    };
  });
}

function roleOf(message: unknown): string {
  const role = typeof message === 'object' && message !== null && 'role' in message ? message.role : undefined;
  return typeof role === 'string' ? role : 'message';
}
