import { describe, expect, it } from 'vitest';
import { configSchema } from './config.ts';

describe('configSchema', () => {
  it('fills in everything that a file leaves out', () => {
    expect(configSchema.parse({})).toEqual({
      port: 7717,
      user_id: 'default',
      strategy: { default: 'strata', agents: {}, session_kinds: {}, modules: {} },
      assemble: {
        default_token_budget: 128_000,
        recent_raw_turn_count: 8,
        summary_budget_share: 0.15,
        deadline_ms: 2_000,
        standing_instructions: '',
        prompt_layers: false,
      },
      compaction: {
        summariser: 'host',
        identifier_policy: 'strict',
        target_share: 0.4,
        triggers: { budget_share: 0.75, tokens_added: 30_000, turns: 20, interval_minutes: 30 },
        segment_tokens: 60_000,
        condense_count: 4,
        host_wait_seconds: 120,
      },
      jobs: { concurrency: 2 },
      tool_results: { threshold_characters: 8_000, synopsis_characters: 2_000 },
      language_model: {
        base_url: '',
        model: '',
        api_key: '',
        api_key_env: '',
        timeout_ms: 120_000,
        max_input_tokens: 16_000,
        max_output_tokens: 4_096,
        daily_token_limit: 2_000_000,
        retries: 2,
      },
      limits: { body_bytes: 2_000_000, messages_body_bytes: 64_000_000, concurrent_assembles: 8 },
      retention: { calls: 50_000, jobs_days: 30, backups: 3 },
      embedder: {
        provider: 'builtin',
        base_url: '',
        model: '',
        api_key: '',
        api_key_env: '',
        timeout_ms: 30000,
        retries: 1,
        batch_size: 32,
        max_characters: 6000,
      },
      memory: {
        workspace: 'workspace',
        write_memory_md: true,
        memory_md_tokens: 2000,
        access: { direct: 'all', group: 'shared', subagent: 'shared', cron: 'shared' },
        extraction: { enabled: true, method: 'auto', model_max_rounds: 6, model_max_tokens: 60000 },
        memory_md: 'auto',
        direct_max_tokens: 2000,
        index_max_tokens: 1000,
        profile_max_tokens: 800,
        refresh_minutes: 60,
      },
      recall: {
        enabled: true,
        form: 'tool_pair',
        window: 5,
        limit: 8,
        budget_share: 0.08,
        max_tokens: 2000,
        item_max_tokens: 400,
        min_score: 0.35,
        deadline_ms: 300,
        skills: false,
      },
    });
  });

  it('keeps what a file says, and fills in the rest of the same section', () => {
    const config = configSchema.parse({
      assemble: { deadline_ms: 500 },
      strategy: { session_kinds: { cron: 'legacy' } },
    });
    expect(config.assemble).toMatchObject({ deadline_ms: 500, recent_raw_turn_count: 8 });
    expect(config.strategy.session_kinds).toEqual({ cron: 'legacy' });
  });

  it.each([
    [{ prot: 7717 }, 'an unknown key'],
    [{ assemble: { deadline: 500 } }, 'an unknown key of a section'],
    [{ strategy: { session_kinds: { nightly: 'legacy' } } }, 'an unknown kind of session'],
    [{ port: -1 }, 'a port below 0'],
    [{ port: 65_536 }, 'a port that there is not'],
    [{ port: '7717' }, 'a number as a text'],
    [{ user_id: '' }, 'an empty user'],
    [{ assemble: { default_token_budget: 0 } }, 'a budget of nothing'],
    [{ assemble: { recent_raw_turn_count: 2.5 } }, 'half a turn'],
    [{ assemble: { summary_budget_share: 1.1 } }, 'a share above 1'],
    [{ assemble: { deadline_ms: 0 } }, 'no time at all'],
    [{ assemble: { standing_instructions: 'x'.repeat(20_001) } }, 'instructions that are too long'],
    [{ compaction: { identifier_policy: 'some' } }, 'an unknown policy'],
    [{ compaction: { target_share: 0 } }, 'a share of nothing'],
    [{ tool_results: { threshold_characters: 10 } }, 'a threshold below any synopsis'],
    [{ tool_results: { synopsis_characters: 0 } }, 'a synopsis of nothing'],
    [{ compaction: { summariser: 'openai' } }, 'an unknown summariser'],
    [{ language_model: { base_url: 'ftp://127.0.0.1', model: 'm' } }, 'an address of another kind'],
    [{ language_model: { base_url: 'http://me:secret@127.0.0.1/v1', model: 'm' } }, 'a password in an address'],
    [{ language_model: { base_url: 'http://127.0.0.1:1/v1' } }, 'an endpoint without a model'],
    [{ language_model: { api_key: 'a', api_key_env: 'B' } }, 'two keys'],
    [{ language_model: { api_key_env: 'not a name' } }, 'a variable that cannot be'],
    [{ language_model: { retries: -1 } }, 'less than one try'],
    [{ limits: { body_bytes: 100 } }, 'a limit that no request fits'],
    [{ retention: { calls: 0 } }, 'no calls kept'],
    [null, 'nothing'],
    [[], 'a list'],
  ])('refuses %j: %s', (given, _) => {
    expect(configSchema.safeParse(given).success).toBe(false);
  });
});
