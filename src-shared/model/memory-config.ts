import { z } from 'zod';
import { memoryAccessSchema } from './memory-scope.ts';

/** The section `memory` of `config.yaml`. */
export const memoryConfigSchema = z.strictObject({
  workspace: z
    .string()
    .min(1)
    .max(4_000)
    .default('workspace')
    .describe(
      'Directory of the memory pages, relative to the data directory; that of OpenClaw (~/.openclaw/workspace) to share its files',
    ),
  access: z
    .strictObject({
      direct: memoryAccessSchema.default('all').describe('What a conversation with the user alone may see of memory'),
      group: memoryAccessSchema
        .default('shared')
        .describe('What group and channel chats may see: shared leaves out what is private'),
      subagent: memoryAccessSchema
        .default('shared')
        .describe('What sub-agents may see, where the spawn request grants nothing else'),
      cron: memoryAccessSchema.default('shared').describe('What scheduled runs may see'),
    })
    .prefault({}),
  memory_md: z
    .enum(['auto', 'always', 'never'])
    .default('auto')
    .describe(
      'Whether MEMORY.md is part of the standing memory; auto leaves it out where OpenClaw reads the same workspace and sends it itself',
    ),
  direct_max_tokens: z
    .int()
    .min(0)
    .max(20_000)
    .default(2_000)
    .describe(
      'MEMORY.md is sent whole while it is smaller (tokens); above, its index lines are, and recall finds the rest',
    ),
  index_max_tokens: z
    .int()
    .min(0)
    .max(20_000)
    .default(1_000)
    .describe('Index lines of MEMORY.md that are sent at most (tokens), where it is not sent whole'),
  profile_max_tokens: z
    .int()
    .min(0)
    .max(20_000)
    .default(800)
    .describe('Profile and lasting preferences that are part of each call at most (tokens); 0: none'),
  refresh_minutes: z
    .number()
    .min(0)
    .max(10_080)
    .default(60)
    .describe(
      'A session that was idle for longer takes in what was written to its standing memory since (minutes); before that the provider’s prompt cache is kept',
    ),
});
export type MemoryConfig = z.infer<typeof memoryConfigSchema>;
