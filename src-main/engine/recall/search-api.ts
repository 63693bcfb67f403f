import type { Config } from '../../../src-shared/model/config.ts';
import type { MemoryScope } from '../../../src-shared/model/memory-scope.ts';
import type { RecallSource } from '../../../src-shared/model/recall.ts';
import type { EngineApi } from '../../../src-shared/protocol/api.ts';
import type { SearchRequest } from '../../../src-shared/protocol/search.ts';
import { scopeOf, type Reader } from '../memory/scope-of.ts';
import type { Recall } from '../ports/recall.ts';

export interface SearchApiParts {
  readonly recall: Recall;
  readonly config: Pick<Config, 'user_id' | 'memory' | 'recall'>;
  /** What a conversation may see; by the configuration alone where nothing else is known of it. */
  readonly scopeFor?: (reader: Reader) => Promise<MemoryScope>;
}

const defaultAgent = 'main';

/** The search of a person or a tool: what the reader may see, with everything that was decided about it. */
export function createSearchApi(parts: SearchApiParts): Pick<EngineApi, 'search'> {
  const { recall, config } = parts;
  const scopeFor = parts.scopeFor ?? ((reader: Reader) => Promise.resolve(scopeOf(reader, config.memory.access)));
  return {
    search: async ({ body }) => {
      const scope = await scopeFor({
        userId: body.user_id ?? config.user_id,
        agentId: body.agent_id ?? defaultAgent,
        sessionKey: body.session_key ?? '',
        sessionUid: body.session_uid,
      });
      return recall.recall({
        query: body.query,
        earlier: body.earlier,
        scope: { ...scope, labels: body.labels, otherSessions: scope.otherSessions && body.session_uid === undefined },
        sources: sourcesOf(body),
        kinds: body.kinds,
        limit: body.limit,
        maxTokens: body.max_tokens,
        itemTokens: Math.min(body.max_tokens, config.recall.item_max_tokens),
        minScore: body.min_score ?? config.recall.min_score,
        includeInactive: body.include_inactive,
      });
    },
  };
}

/** What belongs to one session are its turns and their summaries. */
function sourcesOf({ sources, session_uid: sessionUid }: SearchRequest): readonly RecallSource[] {
  return sources ?? (sessionUid === undefined ? ['page', 'turn', 'checkpoint'] : ['turn', 'checkpoint']);
}
