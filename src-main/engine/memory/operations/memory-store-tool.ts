import { EngineError } from '../../../../src-shared/model/engine-error.ts';
import type { MemoryOperation } from '../../../../src-shared/model/memory-operation.ts';
import { sessionUri } from '../../../../src-shared/model/uri.ts';
import type { MemoryStoreReply, MemoryStoreRequest } from '../../../../src-shared/protocol/memory-tools.ts';
import type { EngineParts } from '../../engine-parts.ts';
import { maskSecrets } from '../extract/gates/mask-secrets.ts';
import type { MemoryWriter } from '../judge/memory-writer.ts';
import type { MemoryAccessPolicy } from '../access/memory-access-policy.ts';
import { audienceOf } from '../scope-of.ts';
import { candidatesOfText, sentencesLeftOut } from './candidates-of-text.ts';
import { resolveCaller } from './resolve-caller.ts';

export interface StoreToolParts extends Pick<EngineParts, 'store' | 'config' | 'clock' | 'kinds'> {
  readonly writer: MemoryWriter;
  readonly access: Pick<MemoryAccessPolicy, 'scopeFor'>;
  readonly timeZone: string;
}

/**
 * Remembers what the caller says. What is answered as stored is on disk; everything else is answered with why it is not.
 * @throws EngineError `invalid_request` for an unknown kind, `memory_refused` where the caller may not write memory, and
 * what stands in the way of the workspace
 */
export async function storeMemory(request: MemoryStoreRequest, parts: StoreToolParts): Promise<MemoryStoreReply> {
  const caller = await resolveCaller(request, parts);
  const audience = audienceOf(caller.sessionKey);
  if ((await parts.access.scopeFor(caller)).access !== 'all') {
    throw new EngineError(
      'memory_refused',
      `Nothing was stored: conversations of this sort (${audience}) have no access to the user's own memory. Ask for it in a direct conversation, or allow it under memory.access.`,
      { details: { audience } },
    );
  }
  refuseSecrets([...(request.tags ?? []), ...(request.labels ?? [])]);
  if (request.kind !== undefined) parts.kinds.require(request.kind);
  const candidates = candidatesOfText({
    text: request.text,
    kind: request.kind,
    title: request.title,
    at: parts.clock.now(),
    timeZone: parts.timeZone,
    sources: caller.sessionUid === undefined ? [] : [sessionUri(caller.userId, caller.sessionUid)],
  });
  const outcome = await parts.writer.remember(candidates, {
    userId: caller.userId,
    agentId: caller.agentId,
    sessionUid: caller.sessionUid,
    author: 'agent',
    method: 'request',
    once: false,
    extra: extraOf(request),
  });
  if (outcome.operations.length === 0 && outcome.failures.length > 0) throw outcome.failures[0];
  const stored = outcome.operations.flatMap((operation) => {
    const page = outcome.pages.get(operation.operation_id);
    return page && (operation.action === 'ADD' || operation.action === 'UPDATE')
      ? [{ uri: page.uri, path: page.path, version: page.version, operation_id: operation.operation_id }]
      : [];
  });
  const text = answer(outcome.operations, stored, outcome.failures, sentencesLeftOut(request.text));
  return { text, stored, operations: [...outcome.operations] };
}

/** Tags and labels stand in the page as they are given. */
function refuseSecrets(words: readonly string[]): void {
  const found = words.flatMap((word) => maskSecrets(word).found);
  if (found.length === 0) return;
  throw new EngineError(
    'memory_refused',
    `Nothing was stored: a tag or label has a secret in it (${[...new Set(found)].join(', ')}). Secrets are never kept in memory; leave it out.`,
  );
}

function extraOf({ tags, labels, visibility, title }: MemoryStoreRequest) {
  return {
    ...(tags === undefined ? {} : { tags }),
    ...(labels === undefined ? {} : { scope: labels }),
    ...(visibility === undefined ? {} : { visibility }),
    ...(title === undefined ? {} : { title }),
  };
}

function answer(
  operations: readonly MemoryOperation[],
  stored: MemoryStoreReply['stored'],
  failures: readonly unknown[],
  leftOut: number,
): string {
  const lines = operations.map((operation) => lineOf(operation, stored));
  for (const failure of failures)
    lines.push(`Not stored: ${failure instanceof Error ? failure.message : String(failure)}`);
  if (operations.length === 0 && failures.length === 0) {
    lines.push(
      'Nothing was stored: there is no statement in the text that can be understood by itself. Say it as a whole sentence.',
    );
  }
  if (leftOut > 0) lines.push(`Not stored: ${leftOut} more sentences. Store what matters of them in pieces.`);
  return lines.join('\n');
}

function lineOf(operation: MemoryOperation, stored: MemoryStoreReply['stored']): string {
  const place = stored.find(({ operation_id: id }) => id === operation.operation_id);
  const { text, action, reason, uri } = operation;
  if (place) {
    const how = reason.code === 'contradicts' ? ', in the place of what was known before' : '';
    return `Stored${how}: ${text} (${place.path}, version ${place.version}, ${place.uri})`;
  }
  if (action === 'DELETE') return `Taken out of memory: ${text} (${uri ?? ''})`;
  if (action === 'NONE') return `Not stored again: ${text} ${reason.message}${uri === undefined ? '' : ` See ${uri}.`}`;
  return `Not stored: ${text} ${reason.message}`;
}
