import type { NewToolResult, StoredToolResult } from '../../engine/ports/tool-result-store.ts';
import { hashBytes } from '../content/hash-bytes.ts';
import type { ReadConnection, WriteConnection } from '../sqlite/connection.ts';

export const toolResultSql = {
  newestOfUser: `SELECT lower(hex(content_hash)) AS contentHash, user_id AS userId, session_key AS sessionKey,
      session_id AS sessionId, tool_call_id AS toolCallId, tool_name AS toolName, stored_at AS storedAt
    FROM tool_result WHERE content_hash = ? AND user_id = ? ORDER BY stored_at DESC, tool_result_no DESC LIMIT 1`,
} as const;

export function toolResultReads(db: ReadConnection) {
  const newest = db.query<[Uint8Array, string], StoredToolResult>(toolResultSql.newestOfUser);
  return {
    newestOfUser: (contentHash: string, userId: string): StoredToolResult | undefined =>
      newest.get(hashBytes(contentHash, 'content hash'), userId),
  };
}

export function toolResultWrites(db: WriteConnection) {
  const insert = db.command<[Uint8Array, string, string, string, string, string, number]>(
    `INSERT INTO tool_result (content_hash, user_id, session_key, session_id, tool_call_id, tool_name, stored_at)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  return {
    ...toolResultReads(db),
    /** @returns false when this result of this call is known */
    put(result: NewToolResult): boolean {
      const { contentHash, userId, sessionKey, sessionId, toolCallId, toolName, storedAt } = result;
      const digest = hashBytes(contentHash, 'content hash');
      const texts = [userId, sessionKey, sessionId, toolCallId, toolName].map((text) => text.toWellFormed());
      const [user = '', key = '', id = '', call = '', tool = ''] = texts;
      return insert.run(digest, user, key, id, call, tool, storedAt).changes > 0;
    },
  };
}
