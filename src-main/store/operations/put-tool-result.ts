import type { NewToolResult } from '../../engine/ports/tool-result-store.ts';
import type { PackedBody } from '../content/pack-in-pieces.ts';
import type { WriteTables } from '../tables/store-tables.ts';

/** The content, held from now on, and whose it is. */
export function putToolResult(tables: WriteTables, result: NewToolResult, packed?: PackedBody): 'stored' | 'duplicate' {
  const { contentHash, tokens, body } = result;
  // No message has this content alone as its key's text, so no reference of a host ever finds it.
  tables.contents.putHeld({ contentHash, messageKey: contentHash, tokens, body }, packed);
  return tables.toolResults.put(result) ? 'stored' : 'duplicate';
}
