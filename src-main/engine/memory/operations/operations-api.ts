import type { EngineApi } from '../../../../src-shared/protocol/api.ts';
import { forgetMemory, type ForgetToolParts } from './memory-forget-tool.ts';
import { storeMemory, type StoreToolParts } from './memory-store-tool.ts';
import { undoOperation } from './undo-operation.ts';

type OperationsApi = Pick<EngineApi, 'memoryOperations' | 'undoMemoryOperation' | 'memoryStore' | 'memoryForget'>;

/** The history of memory, and the tools that write to it. */
export function createOperationsApi(parts: StoreToolParts & ForgetToolParts): OperationsApi {
  return {
    memoryOperations: async ({ query }) => {
      const filter = { uri: query.uri, sessionUid: query.session_uid, action: query.action };
      const page = await parts.operations.list({ cursor: query.cursor, limit: query.limit }, filter);
      return { items: [...page.items], next_cursor: page.nextCursor, total: page.total };
    },
    undoMemoryOperation: async ({ params }) => undoOperation(params.id, parts),
    memoryStore: async ({ body }) => storeMemory(body, parts),
    memoryForget: async ({ body }) => forgetMemory(body, parts),
  };
}
