import { EngineError } from '../../../../src-shared/model/engine-error.ts';
import type { MemoryOperation } from '../../../../src-shared/model/memory-operation.ts';
import type { MemoryPage } from '../../../../src-shared/model/memory-page.ts';
import type { MemoryForgetReply, MemoryForgetRequest } from '../../../../src-shared/protocol/memory-tools.ts';
import type { EngineParts } from '../../engine-parts.ts';
import type { MemoryOperations, OperationChange } from '../../ports/memory-operations.ts';
import type { MemoryPages } from '../../ports/memory-pages.ts';
import { maskSecrets } from '../extract/gates/mask-secrets.ts';
import { dayText, localDay } from '../extract/rules/resolve-dates.ts';
import type { MemoryWriter } from '../judge/memory-writer.ts';
import { statementLines, withoutLines } from '../judge/page-lines.ts';
import type { MemoryAccessPolicy } from '../access/memory-access-policy.ts';
import { audienceOf } from '../scope-of.ts';
import { findForgettable, type Forgettable } from './find-forgettable.ts';
import { isOwn, resolveCaller, type Caller } from './resolve-caller.ts';

export interface ForgetToolParts extends Pick<EngineParts, 'store' | 'config' | 'clock' | 'events'> {
  readonly pages: MemoryPages;
  readonly operations: MemoryOperations;
  readonly writer: MemoryWriter;
  readonly access: Pick<MemoryAccessPolicy, 'scopeFor'>;
  readonly timeZone: string;
}

/**
 * Lets a memory stand no longer: a page by its URI, or the one page or line that words mean. `hard` removes the page for
 * good, and only after its title or URI was sent as confirmation.
 * @throws EngineError `invalid_request`, `memory_refused`, `unknown_page`, `confirmation_needed`, `page_conflict`
 */
export async function forgetMemory(request: MemoryForgetRequest, parts: ForgetToolParts): Promise<MemoryForgetReply> {
  const { uri, query } = request;
  if ((uri === undefined) === (query === undefined || query.trim() === '')) {
    throw new EngineError(
      'invalid_request',
      'Expected either "uri" of a page or "query", words that find what is to be forgotten.',
    );
  }
  const caller = await resolveCaller(request, parts);
  await checkAccess(caller, parts);
  return parts.writer.inTurn(caller.userId, async () => {
    if (uri !== undefined) {
      if (!isOwn(uri, caller)) throw refused(notOwn(uri));
      return forgetOne({ page: await parts.pages.read(uri), lines: [] }, request, caller, parts);
    }
    const found = await findForgettable(query ?? '', caller, parts.pages);
    const [only] = found;
    if (found.length === 1 && only) return forgetOne(only, request, caller, parts);
    return noneForgotten(found);
  });
}

function notOwn(uri: string): string {
  return uri.startsWith('strata://resources/')
    ? `${uri} is a file of the workspace and not a memory; a person removes it, there or in the inspector.`
    : `${uri} is memory of somebody else.`;
}

function noneForgotten(found: readonly Forgettable[]): MemoryForgetReply {
  const choices = found.slice(0, 10).map(({ page, lines }) => ({
    uri: page.uri,
    title: page.title,
    abstract: lines.length > 0 ? (statementLines(lines.join('\n'))[0]?.text ?? page.abstract) : page.abstract,
  }));
  const text =
    choices.length === 0
      ? 'Nothing was forgotten: no memory is known that these words could mean.'
      : `Nothing was forgotten: these words could mean ${found.length} memories. Name one by its uri:\n${choices.map((one) => `- ${one.uri}: ${one.abstract}`).join('\n')}`;
  return { text, forgotten: [], operations: [], choices };
}

async function forgetOne(
  found: Forgettable,
  request: MemoryForgetRequest,
  caller: Caller,
  parts: ForgetToolParts,
): Promise<MemoryForgetReply> {
  return request.mode === 'hard' ? erase(found.page, request, caller, parts) : retire(found, request, caller, parts);
}

/** A line that is not all that a page says is struck by itself; its words stay in the timeline. */
async function retire(
  { page, lines }: Forgettable,
  request: MemoryForgetRequest,
  caller: Caller,
  parts: ForgetToolParts,
): Promise<MemoryForgetReply> {
  if (page.status !== 'active') {
    return {
      text: `Nothing to do: ${page.uri} is ${page.status} already.`,
      forgotten: [],
      operations: [],
      choices: [],
    };
  }
  const isPart = lines.length > 0 && lines.length < statementLines(page.truth).length;
  const date = dayText(localDay(parts.clock.now(), parts.timeZone));
  const saved = await parts.pages.save({
    uri: page.uri,
    change: { fields: isPart ? { truth: withoutLines(page.truth, lines) } : { status: 'retired' } },
    addToTimeline: isPart
      ? lines.map((line) => ({ date, text: `Taken back: ${statementLines(line)[0]?.text ?? line.trim()}` }))
      : [],
    baseVersion: page.version,
    author: 'agent',
    reason: maskSecrets(request.reason ?? 'forget').text,
  });
  const text = isPart ? lines.map((line) => statementLines(line)[0]?.text ?? line.trim()).join(' ') : page.title;
  const operation = describe(
    { page, text, code: 'forgotten', message: reasonOf(request, 'The user wants it forgotten.') },
    caller,
    parts,
    saved.version,
  );
  await record(operation, [{ uri: page.uri, versionBefore: page.version, versionAfter: saved.version }], parts);
  const what = isPart ? 'lines retired' : 'pages retired';
  return {
    text: `Forgotten: ${text} (${page.uri}). It can be undone with the operation ${operation.operation_id}.`,
    forgotten: [
      {
        uri: page.uri,
        mode: 'retire',
        removed: [{ what, count: isPart ? lines.length : 1 }],
        remains: [{ what: 'earlier versions of the page', until: 'the page is forgotten for good (mode "hard")' }],
      },
    ],
    operations: [operation],
    choices: [],
  };
}

async function erase(
  page: MemoryPage,
  request: MemoryForgetRequest,
  caller: Caller,
  parts: ForgetToolParts,
): Promise<MemoryForgetReply> {
  if (request.confirm !== page.uri && request.confirm !== page.title) {
    throw new EngineError(
      'confirmation_needed',
      `Forgetting ${page.uri} for good removes its file and all its versions and cannot be undone. Confirm by sending its title or its URI as "confirm".`,
      { details: { uri: page.uri, title: page.title } },
    );
  }
  const erased = await parts.pages.erase(page.uri, { baseVersion: page.version });
  const texts = await parts.operations.eraseTexts(page.uri);
  const operation = describe(
    { page, text: '[erased]', code: 'erased', message: 'It was removed for good, after confirmation.' },
    caller,
    parts,
    undefined,
  );
  await record(operation, [], parts);
  const removed = [...erased.removed, { what: 'texts in the history of operations', count: texts }];
  const remains = [
    ...erased.remains,
    ...page.sources
      .filter((source) => source.startsWith('strata://session/'))
      .slice(0, 1)
      .map(() => ({
        what: `the messages it came from (${page.sources.length})`,
        until: 'the log of turns is lossless and keeps them',
      })),
  ];
  return {
    text: `Removed for good: ${page.uri}. ${remains.length === 0 ? 'Nothing of it remains.' : `What remains: ${remains.map(({ what, until }) => `${what} (${until})`).join('; ')}.`}`,
    forgotten: [{ uri: page.uri, mode: 'hard', removed, remains }],
    operations: [operation],
    choices: [],
  };
}

function describe(
  {
    page,
    text,
    code,
    message,
  }: { readonly page: MemoryPage; readonly text: string; readonly code: string; readonly message: string },
  caller: Caller,
  { clock }: ForgetToolParts,
  versionAfter: number | undefined,
): MemoryOperation {
  return {
    operation_id: clock.newId('op'),
    at: new Date(clock.now()).toISOString(),
    action: 'DELETE',
    uri: page.uri,
    kind: page.kind,
    text,
    reason: { code, message },
    gates: { durable: true, new: true, useful: true },
    compared: [],
    ...(versionAfter === undefined ? {} : { version_before: page.version, version_after: versionAfter }),
    author: 'agent',
    method: 'request',
    user_id: caller.userId,
    agent_id: caller.agentId,
    ...(caller.sessionUid === undefined ? {} : { session_uid: caller.sessionUid }),
    sources: [],
  };
}

async function record(
  operation: MemoryOperation,
  changes: readonly OperationChange[],
  { operations, events }: ForgetToolParts,
): Promise<void> {
  await operations.add({ operation, changes }, undefined);
  events.publish({
    type: 'memory.operation',
    operation_id: operation.operation_id,
    ...(operation.uri === undefined ? {} : { uri: operation.uri }),
  });
}

function reasonOf({ reason }: MemoryForgetRequest, otherwise: string): string {
  return reason === undefined || reason.trim() === '' ? otherwise : maskSecrets(reason.trim()).text;
}

async function checkAccess(caller: Caller, { access }: ForgetToolParts): Promise<void> {
  if ((await access.scopeFor(caller)).access !== 'all') {
    throw refused(
      `conversations of this sort (${audienceOf(caller.sessionKey)}) have no access to the user's own memory.`,
    );
  }
}

function refused(why: string): EngineError {
  return new EngineError('memory_refused', `Nothing was forgotten: ${why}`);
}
