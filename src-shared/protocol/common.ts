import { z } from 'zod';

const idSchema = z.string().min(1).max(1_000);

/** Who a request is about. A missing agent is read off the session key (`agent:{id}:…`), else `main`. */
export const sessionIdentityFields = {
  session_id: idSchema,
  session_key: z.string().max(1_000).optional(),
  agent_id: z.string().min(1).max(1_000).optional(),
  user_id: z.string().min(1).max(1_000).optional(),
};

export const none = z.object({});

export const pageQuerySchema = z.object({
  /** Opaque; from the `next_cursor` of the page before. */
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
});

export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next_cursor: z.string().optional(), total: z.int().nonnegative() });
}

export const errorReplySchema = z.object({
  ok: z.literal(false),
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
});
export type ErrorReply = z.infer<typeof errorReplySchema>;
