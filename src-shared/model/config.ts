import { z } from 'zod';
import { defaultSynopsisCharacters, defaultThresholdCharacters } from '../synopsis/large-result.ts';
import { identifierPolicySchema } from './checkpoint.ts';
import { embedderSchema } from './embedder-config.ts';
import { languageModelSchema } from './language-model-config.ts';
import { memoryConfigSchema } from './memory-config.ts';
import { recallConfigSchema } from './recall-config.ts';

/** Keys of `config.yaml`. Unknown keys are refused, so that a misspelled one is noticed. */
export const configSchema = z.strictObject({
  /** Port of the HTTP endpoint on 127.0.0.1; 0 takes a free one. */
  port: z.int().min(0).max(65535).default(7717).describe('Port of the HTTP endpoint on 127.0.0.1; 0 takes a free one'),
  user_id: z
    .string()
    .min(1)
    .max(200)
    .default('default')
    .describe('Owner of the sessions of requests that name no user'),
  strategy: z
    .strictObject({
      default: z.string().default('strata').describe('Strategy of every session that no rule below matches'),
      agents: z.record(z.string(), z.string()).default({}).describe('Strategy by agent id'),
      session_kinds: z
        .partialRecord(z.enum(['main', 'subagent', 'cron', 'other']), z.string())
        .default({})
        .describe('Strategy by session kind: main, subagent, cron or other'),
      modules: z
        .record(z.string(), z.string())
        .default({})
        .describe('Custom strategies: name → path of a module, relative to the data directory'),
    })
    .prefault({}),
  assemble: z
    .strictObject({
      default_token_budget: z
        .int()
        .min(1)
        .default(128_000)
        .describe('Budget when neither the request nor an earlier call of the session named one (tokens)'),
      recent_raw_turn_count: z.int().min(1).default(8).describe('Newest turns that summaries never push out'),
      summary_budget_share: z
        .number()
        .min(0)
        .max(1)
        .default(0.15)
        .describe('Share of the budget that summaries may take'),
      deadline_ms: z.int().min(1).default(2_000).describe('Time in which assemble answers, whatever happens (ms)'),
      standing_instructions: z
        .string()
        .max(20_000)
        .default('')
        .describe('Text that is part of the system prompt addition of every call'),
      prompt_layers: z
        .boolean()
        .default(false)
        .describe(
          'Hosts without a system prompt of their own (format openai) get one from the workspace: skills, SOUL, IDENTITY, USER, AGENTS and MEMORY',
        ),
    })
    .prefault({}),
  compaction: z
    .strictObject({
      summariser: z
        .enum(['host', 'openai-compatible', 'extractive'])
        .default('host')
        .describe(
          'Who writes summaries: host (the model of the host), openai-compatible (the endpoint under language_model) or extractive (no model)',
        ),
      identifier_policy: identifierPolicySchema
        .default('strict')
        .describe('Which identifiers a summary must keep verbatim: strict, relaxed or none'),
      target_share: z
        .number()
        .gt(0)
        .max(0.9)
        .default(0.4)
        .describe('Share of the budget that the context may take after a compaction'),
      triggers: z
        .strictObject({
          budget_share: z
            .number()
            .min(0)
            .max(1)
            .default(0.75)
            .describe('Share of the budget from which on the context is compacted in the background; 0: never'),
          tokens_added: z
            .int()
            .min(0)
            .default(30_000)
            .describe('Tokens added since the last compaction that ask for the next one; 0: never'),
          turns: z
            .int()
            .min(0)
            .default(20)
            .describe('User turns since the last compaction that ask for the next one; 0: never'),
          interval_minutes: z
            .number()
            .min(0)
            .default(30)
            .describe('Minutes since the last compaction after which a new turn asks for the next one; 0: never'),
        })
        .prefault({}),
      segment_tokens: z
        .int()
        .min(1_000)
        .max(1_000_000)
        .default(60_000)
        .describe('Turns that are folded into one checkpoint at most (tokens); longer ranges become several'),
      condense_count: z
        .int()
        .min(0)
        .max(100)
        .default(4)
        .describe('Neighbouring checkpoints of one level that are folded into one of a higher level; 0: never'),
      host_wait_seconds: z
        .int()
        .min(0)
        .max(3_600)
        .default(120)
        .describe('How long a compaction in the background waits for the host’s model before it does without (s)'),
    })
    .prefault({}),
  jobs: z
    .strictObject({
      concurrency: z.int().min(1).max(16).default(2).describe('Background jobs that run at once'),
    })
    .prefault({}),
  tool_results: z
    .strictObject({
      threshold_characters: z
        .int()
        .min(1_000)
        .max(10_000_000)
        .default(defaultThresholdCharacters)
        .describe('Tool results with more characters are stored whole and replaced by a synopsis'),
      synopsis_characters: z
        .int()
        .min(200)
        .max(100_000)
        .default(defaultSynopsisCharacters)
        .describe('Longest synopsis of a tool result (characters)'),
    })
    .prefault({}),
  language_model: languageModelSchema.prefault({}),
  embedder: embedderSchema.prefault({}),
  memory: memoryConfigSchema.prefault({}),
  recall: recallConfigSchema.prefault({}),
  limits: z
    .strictObject({
      body_bytes: z.int().min(1024).default(2_000_000).describe('Largest request body of ordinary routes (bytes)'),
      messages_body_bytes: z
        .int()
        .min(1024)
        .default(64_000_000)
        .describe('Largest request body of routes that carry messages (bytes)'),
      concurrent_assembles: z
        .int()
        .min(1)
        .default(8)
        .describe('Assemble calls that may run at once; more are answered with busy'),
    })
    .prefault({}),
  retention: z
    .strictObject({
      calls: z.int().min(1).default(50_000).describe('Newest assemble records that are kept'),
      jobs_days: z
        .int()
        .min(1)
        .default(30)
        .describe('Days for which background jobs that ended are kept; dead ones twelve times as long'),
      backups: z.int().min(1).default(3).describe('Database backups that are kept'),
    })
    .prefault({}),
});
export type Config = z.infer<typeof configSchema>;
