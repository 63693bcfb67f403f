import type { EngineApi } from '../../../src-shared/protocol/api.ts';
import type { EngineParts } from '../engine-parts.ts';
import { unknownCall } from './unknown-call.ts';
import { CallReplayer } from '../replay/call-replayer.ts';
import { findMinimalBudget } from '../replay/find-minimal-budget.ts';
import type { PresentMemory } from '../replay/memory-of-today.ts';
import type { StrategiesOfCalls } from '../assemble/answer-builder.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { listKinds } from './list-kinds.ts';
import { pageTokens } from './page-tokens.ts';
import { findWhere } from './where/find-where.ts';
import { makeBundle } from './make-bundle.ts';
import type { SessionReader } from './session-reader.ts';
import { readWire } from './read-wire.ts';
import { readPageUses } from './page-uses.ts';

type InspectorApi = Pick<
  EngineApi,
  'kinds' | 'page' | 'pageUses' | 'replay' | 'minimalBudget' | 'wire' | 'where' | 'fixture' | 'bundle'
>;

/** What only a person who looks into the engine asks for. */
export function createInspectorApi(
  parts: EngineParts,
  counter: TokenCounter,
  strategies: StrategiesOfCalls,
  memory: PresentMemory & { readonly api: Pick<EngineApi, 'page'> },
  reader: SessionReader,
): InspectorApi {
  const replayer = new CallReplayer(parts, counter, strategies, memory);
  return {
    kinds: async () => ({ items: await listKinds(parts.kinds, parts.pageStore) }),
    page: async (input) => {
      const page = await memory.api.page(input);
      const tokens = await pageTokens(page, counter);
      return { ...page, ...(tokens && { tokens }) };
    },
    pageUses: async ({ params, query }) =>
      readPageUses(params.uri, { cursor: query.cursor, limit: query.limit }, query.action, parts),
    replay: async ({ params, body }) => replayer.replay(params.id, body),
    minimalBudget: async ({ params, body }) => findMinimalBudget(replayer, params.id, body.item, body.whole),
    fixture: async ({ params }) => {
      const found = await parts.store.findCall(params.id);
      if (!found) throw unknownCall(params.id);
      return replayer.fixtureOf(found.trace);
    },
    bundle: async ({ params, query }) =>
      makeBundle(await reader.find(params.id), query, { ...parts, pages: memory.pages, reader }),
    where: async ({ body }) => findWhere(body, { ...parts, pages: memory.pages }),
    wire: async ({ params, query }) => {
      const found = await parts.store.findCall(params.id);
      if (!found) throw unknownCall(params.id);
      return readWire(found.trace, query.format, parts.store);
    },
  };
}
