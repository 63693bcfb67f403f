import { z } from 'zod';
import { none } from './common.ts';
import { defineRoute } from './route.ts';

/** A kind of memory as it is declared; new pages are made by these rules. */
export const kindSchema = z.object({
  name: z.string(),
  description: z.string(),
  owner: z.enum(['user', 'agent']),
  /** Below the memories of the owner; empty: right there. */
  folder: z.string(),
  /** The owner has one page of the kind, with this name. */
  single: z.string().optional(),
  policy: z.enum(['merge', 'aggregate', 'append']),
  visibility: z.enum(['private', 'shared']),
  /** Front matter beyond the common fields. */
  fields: z.array(
    z.object({
      name: z.string(),
      type: z.enum(['text', 'list', 'date', 'number', 'flag']),
      description: z.string(),
      required: z.boolean(),
      /** Its values are links of this type. */
      link: z.string().optional(),
    }),
  ),
  /** Pages of the kind that are there, whoever owns them. */
  pages: z.int().nonnegative(),
});
export type Kind = z.infer<typeof kindSchema>;

export const kindsRoute = defineRoute({
  name: 'kinds',
  method: 'GET',
  path: '/v1/kinds',
  summary: 'The kinds of memory that are known: folder, owner, and what becomes of a new statement',
  auth: 'token',
  params: none,
  query: none,
  body: none,
  reply: z.object({ items: z.array(kindSchema) }),
  limit: 'ordinary',
  replyKind: 'json',
});
