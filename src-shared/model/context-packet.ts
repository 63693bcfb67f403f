import { z } from 'zod';
import { turnEnvelopeSchema } from './turn-envelope.ts';

/** What assemble put together, before it is written in the host's own message format. */
export const assembledContextPacketSchema = z.object({
  profile_blocks: z.array(z.string()),
  recalled_memories: z.array(
    z.object({ query: z.string(), uri: z.string(), abstract: z.string().optional(), score: z.number().optional() }),
  ),
  compact_summaries: z.array(
    z.object({ session_uri: z.string(), abstract: z.string().optional(), overview: z.string().optional() }),
  ),
  recent_raw_turns: z.array(turnEnvelopeSchema),
  injected_messages: z.array(z.record(z.string(), z.unknown())),
  estimated_tokens: z.int().nonnegative(),
});
export type AssembledContextPacket = z.infer<typeof assembledContextPacketSchema>;
