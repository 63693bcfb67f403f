import type { MemoryOperation } from '../../../../src-shared/model/memory-operation.ts';
import { parseUri } from '../../../../src-shared/model/uri.ts';
import type { EngineApi } from '../../../../src-shared/protocol/api.ts';
import type { EngineParts } from '../../engine-parts.ts';
import type { MemoryOperations } from '../../ports/memory-operations.ts';
import type { MemoryPages } from '../../ports/memory-pages.ts';
import type { MemoryWriter } from '../judge/memory-writer.ts';

export interface DeletePageParts extends Pick<EngineParts, 'clock' | 'config' | 'events'> {
  readonly pages: MemoryPages;
  readonly operations: MemoryOperations;
  readonly writer: MemoryWriter;
  readonly deletePage: EngineApi['deletePage'];
}

/** What a person retires can be undone like everything else; what is removed for good leaves no words in the history. */
export function deletePageOnRecord(parts: DeletePageParts): EngineApi['deletePage'] {
  const { pages, operations, writer, clock, config, events } = parts;
  return async (input) =>
    writer.inTurn(config.user_id, async () => {
      const before = await pages.read(input.params.uri);
      const reply = await parts.deletePage(input);
      const isHard = reply.mode === 'hard';
      const texts = isHard ? await operations.eraseTexts(before.uri) : 0;
      const after = isHard ? undefined : await pages.find(before.uri);
      const hasChanged = after !== undefined && after.version !== before.version;
      const uri = parseUri(before.uri);
      const operation: MemoryOperation = {
        operation_id: clock.newId('op'),
        at: new Date(clock.now()).toISOString(),
        action: 'DELETE',
        uri: before.uri,
        kind: before.kind,
        text: isHard ? '[erased]' : before.title,
        reason: isHard
          ? { code: 'erased', message: 'It was removed for good, after confirmation.' }
          : { code: 'forgotten', message: input.body.reason ?? 'The page was retired.' },
        gates: { durable: true, new: true, useful: true },
        compared: [],
        ...(hasChanged ? { version_before: before.version, version_after: after.version } : {}),
        author: 'user',
        method: 'request',
        user_id: uri.kind === 'page' && uri.owner === 'user' ? uri.userId : config.user_id,
        agent_id: uri.kind === 'page' && uri.owner === 'agent' ? uri.agentId : 'main',
        sources: [],
      };
      const changes = hasChanged
        ? [{ uri: before.uri, versionBefore: before.version, versionAfter: after.version }]
        : [];
      await operations.add({ operation, changes }, undefined);
      events.publish({ type: 'memory.operation', operation_id: operation.operation_id, uri: before.uri });
      return texts === 0
        ? reply
        : { ...reply, removed: [...reply.removed, { what: 'texts in the history of operations', count: texts }] };
    });
}
