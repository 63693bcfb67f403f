import { z } from 'zod';
import { recallResultSchema, recallSourceSchema } from '../model/recall.ts';
import { none } from './common.ts';
import { defineRoute } from './route.ts';

/** A search by a person or a tool: everything the reader may see, with the score explained. */
export const searchRequestSchema = z.object({
  query: z.string().min(1).max(10_000),
  /** Words of earlier user turns, oldest first, that give the query its context. */
  earlier: z.array(z.string().max(10_000)).max(20).default([]),
  user_id: z.string().min(1).max(1_000).optional(),
  agent_id: z.string().min(1).max(1_000).optional(),
  /** Only what belongs to this session. */
  session_uid: z.string().max(1_000).optional(),
  /** Read as this conversation would: its key decides what it may see. */
  session_key: z.string().max(1_000).optional(),
  sources: z.array(recallSourceSchema).min(1).optional(),
  kinds: z.array(z.string().max(100)).max(100).optional(),
  labels: z.array(z.string().max(200)).max(100).optional(),
  limit: z.int().min(1).max(200).default(10),
  /** Tokens that the packed texts may take together. */
  max_tokens: z.int().min(50).max(200_000).default(4_000),
  /** Candidates with a lower score are not packed; default by configuration. */
  min_score: z.number().min(0).max(1).optional(),
  /** Superseded and retired pages are looked at too. */
  include_inactive: z.boolean().default(false),
});
export type SearchRequest = z.infer<typeof searchRequestSchema>;

export const searchRoute = defineRoute({
  name: 'search',
  method: 'POST',
  path: '/v1/search',
  summary: 'Search pages, turns and summaries, with every score explained by its parts',
  auth: 'token',
  params: none,
  query: none,
  body: searchRequestSchema,
  reply: recallResultSchema,
  limit: 'ordinary',
  replyKind: 'json',
});
