import type { TraceItem } from '../../src-shared/model/trace.ts';
import { formatCount } from './format-number.ts';
import { pageUriOf } from './page-words.ts';

/** Where an item comes from, short: `turn 17`, `turns 1–9,000 (9,000)`, `host message 3`, `engine`. */
export function itemLabel(item: TraceItem): string {
  if (item.sequence !== undefined) {
    const end = item.end_sequence ?? item.sequence;
    if (item.kind === 'summary') return `of turns ${formatCount(item.sequence)}–${formatCount(end)}`;
    if (item.count > 1 || end > item.sequence) {
      return `turns ${formatCount(item.sequence)}–${formatCount(end)} (${formatCount(item.count)})`;
    }
    return `turn ${formatCount(item.sequence)}`;
  }
  if (item.host_index !== undefined) {
    return item.count > 1
      ? `host messages ${formatCount(item.host_index)}–${formatCount(item.host_index + item.count - 1)} (${formatCount(item.count)})`
      : `host message ${formatCount(item.host_index)}`;
  }
  if (item.count > 1) return `${formatCount(item.count)} items of the ${item.source}`;
  const page = item.uri === undefined ? undefined : pageUriOf(item.uri);
  if (page !== undefined) return `page ${page.path}`;
  const checkpoint = item.uri?.match(/\/checkpoint\/([^/]+)$/)?.[1];
  if (checkpoint !== undefined) return `checkpoint ${decodeURIComponent(checkpoint)}`;
  return item.source === 'engine' ? 'from the engine' : `from the ${item.source}`;
}
