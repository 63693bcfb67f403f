import type { z } from 'zod';
import type { searchRequestSchema } from '../../src-shared/protocol/search.ts';
import { present } from '../navigation/present.ts';
import type { RecallPlace } from '../navigation/memory-place.ts';

export type SearchInput = z.input<typeof searchRequestSchema>;

/** What the engine takes when nothing is said; written here because a form shows it. */
export const recallDefaults = { limit: 10, tokens: 4_000 } as const;

/** The request that an address stands for; undefined without a query. */
export function recallRequest(place: RecallPlace): SearchInput | undefined {
  const query = place.query?.trim() ?? '';
  if (query === '') return undefined;
  return {
    query,
    limit: Math.min(200, place.limit ?? recallDefaults.limit),
    max_tokens: Math.min(200_000, Math.max(50, place.tokens ?? recallDefaults.tokens)),
    ...present({
      user_id: place.user,
      agent_id: place.agent,
      session_key: place.as,
      session_uid: place.session,
      sources: place.sources === undefined ? undefined : [...place.sources],
      kinds: place.kinds === undefined ? undefined : [...place.kinds],
      labels: place.labels === undefined ? undefined : [...place.labels],
      min_score: place.min,
      include_inactive: place.inactive,
    }),
  };
}

/** A search by a person wants to see what there is, not what fits a context. */
export function searchRequest(query: string): SearchInput {
  return { query: query.trim(), limit: 100, max_tokens: 100_000, min_score: 0, include_inactive: true };
}
