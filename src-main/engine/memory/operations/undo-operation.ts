import { EngineError } from '../../../../src-shared/model/engine-error.ts';
import type { MemoryOperation } from '../../../../src-shared/model/memory-operation.ts';
import type { EngineParts } from '../../engine-parts.ts';
import type { MemoryOperations, OperationChange, StoredOperation } from '../../ports/memory-operations.ts';
import type { MemoryPages } from '../../ports/memory-pages.ts';
import type { MemoryWriter } from '../judge/memory-writer.ts';

export interface UndoParts extends Pick<EngineParts, 'clock' | 'events'> {
  readonly pages: MemoryPages;
  readonly operations: MemoryOperations;
  readonly writer: MemoryWriter;
}

/**
 * Puts the pages of one operation back as they were before it. A page that it made is retired. The undo is an operation
 * itself and can be undone as well.
 * @throws EngineError `unknown_operation`, `operation_conflict` when it was undone already, when it changed nothing, or
 * when somebody wrote one of the pages since: then nothing is changed
 */
export async function undoOperation(id: string, parts: UndoParts): Promise<MemoryOperation> {
  const stored = await parts.operations.find(id);
  if (!stored) {
    throw new EngineError(
      'unknown_operation',
      `There is no operation ${JSON.stringify(id.slice(0, 200))}; GET /v1/memory/operations lists those there are.`,
    );
  }
  return parts.writer.inTurn(stored.operation.user_id, async () => undo(stored.operation.operation_id, parts));
}

async function undo(id: string, parts: UndoParts): Promise<MemoryOperation> {
  // It may have been undone while this waited for its turn.
  const stored = await parts.operations.find(id);
  if (!stored) throw new EngineError('unknown_operation', `There is no operation ${id} any more.`);
  await checkStanding(stored, parts.pages);
  const changes: OperationChange[] = [];
  for (const change of [...stored.changes].reverse()) changes.push(await putBack(change, id, parts.pages));
  const at = new Date(parts.clock.now()).toISOString();
  const operation = describe(stored, changes, at, parts.clock.newId('op'));
  await parts.operations.add({ operation, changes }, undefined);
  await parts.operations.markUndone(id, at);
  const { uri } = operation;
  for (const one of [operation.operation_id, id]) {
    parts.events.publish({ type: 'memory.operation', operation_id: one, ...(uri === undefined ? {} : { uri }) });
  }
  return operation;
}

async function checkStanding({ operation, changes }: StoredOperation, pages: MemoryPages): Promise<void> {
  const { operation_id: id } = operation;
  if (operation.undone_at !== undefined) {
    throw conflict(
      `The operation ${id} was undone at ${operation.undone_at} already. Undo the undo to bring it back.`,
      { undone_at: operation.undone_at },
    );
  }
  if (changes.length === 0)
    throw conflict(`The operation ${id} ended as ${operation.action} and changed no page; there is nothing to undo.`, {
      action: operation.action,
    });
  for (const { uri, versionAfter } of changes) {
    const page = await pages.find(uri);
    if (page?.version === versionAfter) continue;
    const stands = page === undefined ? 'is not there any more' : `is version ${page.version} now`;
    throw conflict(
      `The operation ${id} made version ${versionAfter} of ${uri}, but the page ${stands}. Nothing was changed: look at the page's history and change or restore it there.`,
      {
        uri,
        version_after: versionAfter,
        ...(page === undefined
          ? {}
          : { version: page.version, content_hash: page.content_hash, content: page.content }),
      },
    );
  }
}

async function putBack(
  { uri, versionBefore, versionAfter }: OperationChange,
  id: string,
  pages: MemoryPages,
): Promise<OperationChange> {
  const saved =
    versionBefore === 0
      ? await pages.save({
          uri,
          change: { fields: { status: 'retired' } },
          baseVersion: versionAfter,
          author: 'user',
          reason: `undo of ${id}`,
        })
      : await pages.restore(uri, versionBefore, { baseVersion: versionAfter, author: 'user' });
  return { uri, versionBefore: versionAfter, versionAfter: saved.version };
}

function describe(
  { operation }: StoredOperation,
  changes: readonly OperationChange[],
  at: string,
  id: string,
): MemoryOperation {
  const own = changes.find(({ uri }) => uri === operation.uri) ?? changes[0];
  const { supersedes: _, checkpoint_id: __, undone_at: ___, ...kept } = operation;
  return {
    ...kept,
    operation_id: id,
    at,
    action: operation.action === 'ADD' ? 'DELETE' : 'UPDATE',
    reason: {
      code: 'undone',
      message: `The pages were put back as they were before the operation ${operation.operation_id}.`,
    },
    compared: [],
    ...(own ? { version_before: own.versionBefore, version_after: own.versionAfter } : {}),
    author: 'user',
    method: 'request',
  };
}

function conflict(message: string, details: Record<string, unknown>): EngineError {
  return new EngineError('operation_conflict', message, { details });
}
