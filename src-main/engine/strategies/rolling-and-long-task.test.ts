import { describe, expect, it } from 'vitest';
import { openEngineFixture, type EngineFixture } from '../testing/engine-fixture.ts';

const session = { session_id: 's', session_key: 'agent:main:main', agent_id: 'main' } as const;

async function talk(fixture: EngineFixture, from: number, to: number): Promise<void> {
  for (let turn = from; turn < to; turn += 1) {
    fixture.clock.advance(1_000);
    const said = `Question ${turn} about src/part-${turn}.ts: what is still open there, and which decision did we take? `;
    await fixture.send('commitTurn', {
      body: {
        ...session,
        advancement_key: `key-${turn}`,
        format: 'openai',
        messages: [
          { role: 'user', content: said.repeat(3) },
          { role: 'assistant', content: `We decided that part ${turn} uses port ${4_000 + turn}. `.repeat(6) },
        ],
      },
    });
    await fixture.engine.jobs.settled();
  }
}

async function standing(fixture: EngineFixture) {
  const page = await fixture.send('sessionCheckpoints', { params: { id: 's' } });
  return page.items.filter((checkpoint) => checkpoint.state === 'stands');
}

const open = (strategy: string) =>
  openEngineFixture({ config: { strategy: { default: strategy }, compaction: { summariser: 'extractive' } } });

describe('the strategy rolling', () => {
  it('folds the older half beyond 20 messages, and keeps one running summary', async () => {
    const fixture = await open('rolling');
    await talk(fixture, 0, 10);
    expect(await standing(fixture)).toHaveLength(0);
    await talk(fixture, 10, 30);
    const [summary, ...others] = await standing(fixture);
    expect(others).toEqual([]);
    expect(summary?.source_turn_range.start_sequence).toBe(1);
    expect(summary?.parent_checkpoint_ids).toHaveLength(2);
    expect(60 - (summary?.source_turn_range.end_sequence ?? 0)).toBeGreaterThanOrEqual(10);
    expect(60 - (summary?.source_turn_range.end_sequence ?? 0)).toBeLessThanOrEqual(21);
  });

  it('sends the running summary and the raw messages behind it', async () => {
    const fixture = await open('rolling');
    await talk(fixture, 0, 30);
    const answer = await fixture.send('assemble', {
      body: { ...session, format: 'openai', messages: [], token_budget: 32_000, reply: 'messages', history: 'window' },
    });
    const [first, ...rest] = answer.messages ?? [];
    expect(JSON.stringify(first)).toContain('strata-summary');
    expect(rest.length).toBeGreaterThanOrEqual(10);
    expect(rest.length).toBeLessThanOrEqual(21);
  });
});

describe('the strategy long-task', () => {
  it('keeps only the last few turns raw, and has its summaries look out for the plan', async () => {
    const fixture = await open('long-task');
    await talk(fixture, 0, 30);
    const checkpoints = await standing(fixture);
    const newest = checkpoints[0];
    const covered = newest?.source_turn_range.end_sequence ?? 0;
    expect(60 - covered).toBeLessThanOrEqual(25);
    expect(60 - covered).toBeGreaterThanOrEqual(6);
    expect(newest?.focus).toContain('open tasks');
    expect(newest?.trigger).toBe('turns');
  });
});
