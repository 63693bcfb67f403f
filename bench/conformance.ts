import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { memoryOperationSchema, type MemoryOperation } from '../src-shared/model/memory-operation.ts';
import { pageUri } from '../src-shared/model/uri.ts';
import { startMemoryDaemon, type MemoryDaemon } from './memory-daemon.ts';

const goldTurnSchema = z.object({
  should_retrieve: z.boolean(),
  gold_slugs: z.array(z.string()).default([]),
  acceptable_slugs: z.array(z.string()).default([]),
  gold_facts: z.array(z.object({ match_keywords: z.array(z.string()) }).loose()).default([]),
});

const fixtureSchema = z.object({
  fixture_id: z.string(),
  suites: z.array(z.string()),
  holdout: z.boolean().default(false),
  /** Whose pages are read in the conversation. */
  active_source: z.string().optional(),
  continuity: z.object({ pair_id: z.string(), pair_role: z.enum(['writer', 'reader']) }).optional(),
  seed_pages: z
    .array(z.object({ slug: z.string(), content: z.string(), source_id: z.string().optional() }))
    .default([]),
  turns: z.array(z.object({ turn_id: z.number(), role: z.enum(['user', 'assistant']), text: z.string() }).loose()),
  gold: z.object({
    turns: z.record(z.string(), goldTurnSchema),
    continuity: z
      .object({
        decisions: z.array(
          z.object({ expected_slugs: z.array(z.string()), match_keywords: z.array(z.string()) }).loose(),
        ),
      })
      .loose()
      .optional(),
  }),
});
type Fixture = z.infer<typeof fixtureSchema>;
type Counts = Record<string, { of: number; got: number }>;

/**
 * Memory conformance (gbrain BrainBench): whole conversations through the daemon. Each fixture is a user of its own, each
 * pair of continuity one user with two sessions; pages of another source belong to another user. What counts as injected
 * are the addresses of memories in the messages that `assemble` answers. Gold is read only when everything was answered.
 */
export async function benchConformance(data: string): Promise<unknown> {
  const { fixtures } = z.object({ fixtures: z.array(fixtureSchema) }).parse(JSON.parse(await readFile(data, 'utf8')));
  const pages = new Map(
    fixtures.flatMap((fixture) =>
      fixture.seed_pages.map(
        ({ slug, content, source_id: source }) =>
          [`memories/users/${userOf(fixture, source)}/${slug}`, content] as const,
      ),
    ),
  );
  const memory = await startMemoryDaemon({ pages, config: { memory: { memory_md: 'never' } } });
  try {
    await memory.indexed();
    const gate: Counts = {};
    const holdout: Counts = {};
    const halves: Record<'tuned' | 'unseen', Counts> = { tuned: {}, unseen: {} };
    const missed: string[] = [];
    // Who wrote comes before who reads.
    const order = [...fixtures].sort(
      (a, b) => Number(a.continuity?.pair_role === 'reader') - Number(b.continuity?.pair_role === 'reader'),
    );
    for (const fixture of order) {
      // What was written a moment ago by another conversation is asked for when it is in the index.
      if (fixture.continuity?.pair_role === 'reader') await memory.indexed();
      const run = await runFixture(fixture, memory);
      missed.push(...score(fixture, run, fixture.holdout ? holdout : gate));
      score(fixture, run, halves[halfOf(fixture)]);
    }
    const byHalf = { tuned: described(halves.tuned), unseen: described(halves.unseen) };
    return { gate: described(gate), holdout: described(holdout), ...byHalf, missed };
  } finally {
    await memory.close();
  }
}

/** Rules were tuned on one half of the fixtures, by the last bit of a hash of the id; the other is there to tell the truth. */
function halfOf({ fixture_id: id }: Fixture): 'tuned' | 'unseen' {
  return Number.parseInt(hash('sha1', id).slice(-1), 16) % 2 === 0 ? 'tuned' : 'unseen';
}

interface Run {
  /** By turn: the addresses that were injected, and everything that was. */
  readonly injected: ReadonlyMap<number, { readonly uris: readonly string[]; readonly text: string }>;
  readonly operations: readonly MemoryOperation[];
}

function userOf({ fixture_id: id, continuity }: Fixture, source?: string): string {
  const own = continuity?.pair_id ?? id;
  return source === undefined || source === 'default' ? own : `${own}--${source}`;
}

async function runFixture(fixture: Fixture, { daemon }: MemoryDaemon): Promise<Run> {
  const caller = {
    session_id: fixture.fixture_id,
    session_key: 'agent:main:main',
    user_id: userOf(fixture, fixture.active_source),
  };
  const messages: { role: string; content: string }[] = [];
  const injected = new Map<number, { uris: readonly string[]; text: string }>();
  for (const { turn_id: turn, role, text } of fixture.turns) {
    messages.push({ role, content: text });
    if (role === 'user') {
      const reply = z.object({ messages: z.array(z.object({ content: z.unknown() }).loose()) }).loose();
      const answer = reply.parse(
        await daemon.post('/v1/assemble', {
          ...caller,
          format: 'openai',
          messages,
          token_budget: 32_000,
          deadline_ms: 5_000,
        }),
      );
      const all = answer.messages
        .map(({ content }) => String(content))
        .filter((content) => content.includes('<memory '));
      const uris = all.flatMap((content) => [...content.matchAll(/<memory uri="([^"]+)"/g)].map(([, uri = '']) => uri));
      injected.set(turn, { uris: uris.filter((uri) => !uri.startsWith('strata://session/')), text: all.join('\n') });
    }
    const message = { role, content: text };
    await daemon.post('/v1/commit-turn', {
      ...caller,
      advancement_key: `${fixture.fixture_id} ${turn}`,
      format: 'openai',
      messages: [message],
    });
  }
  const isWriting = fixture.suites.includes('write-back');
  return { injected, operations: isWriting ? await written(caller, { daemon }) : [] };
}

/** Memories are written behind the end of a session, by a job. */
async function written(
  caller: { session_id: string; session_key: string; user_id: string },
  { daemon }: Pick<MemoryDaemon, 'daemon'>,
): Promise<readonly MemoryOperation[]> {
  await daemon.post('/v1/session-end', { ...caller, reason: 'new' });
  const jobs = z.object({ items: z.array(z.object({ state: z.string() }).loose()) }).loose();
  for (let tries = 0; tries < 200; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { items } = jobs.parse(await daemon.get('/v1/jobs?limit=20'));
    if (tries > 2 && items.every(({ state }) => !['queued', 'leased', 'running', 'waiting'].includes(state))) break;
  }
  const operations = z.object({ items: z.array(memoryOperationSchema) }).loose();
  const { items } = operations.parse(await daemon.get('/v1/memory/operations?limit=1000'));
  return items.filter(({ user_id: user, action }) => user === caller.user_id && ['ADD', 'UPDATE'].includes(action));
}

function score(fixture: Fixture, run: Run, counts: Counts): string[] {
  const missed: string[] = [];
  const uriOf = (slug: string): string =>
    pageUri({ owner: 'user', userId: userOf(fixture, fixture.active_source), path: slug });
  const note = (metric: string, got: boolean, what: string): void => {
    const count = (counts[metric] ??= { of: 0, got: 0 });
    count.of += 1;
    if (got) count.got += 1;
    else missed.push(`${metric} ${fixture.fixture_id} ${what}`);
  };
  for (const [turn, { uris }] of run.injected) {
    const gold = fixture.gold.turns[String(turn)];
    for (const uri of uris)
      note('isolation', uri.includes(`/${encodeURIComponent(userOf(fixture, fixture.active_source))}/`), uri);
    if (!gold) continue;
    const wanted = gold.gold_slugs.map(uriOf);
    const allowed = [...wanted, ...gold.acceptable_slugs.map(uriOf)];
    if (fixture.suites.includes('know-to-ask')) {
      if (gold.should_retrieve)
        note(
          'know_to_ask',
          allowed.some((uri) => uris.includes(uri)),
          String(turn),
        );
      else note('kept_quiet', uris.length === 0, `${turn}: ${uris.join(' ')}`);
    }
    if (fixture.suites.includes('push') && gold.should_retrieve) {
      for (const uri of wanted) note('push_recall', uris.includes(uri), uri);
      for (const uri of uris) note('push_precision', allowed.includes(uri), uri);
    }
  }
  scoreWrites(fixture, run, note);
  return missed;
}

function scoreWrites(fixture: Fixture, run: Run, note: (metric: string, got: boolean, what: string) => void): void {
  const says = (text: string, keywords: readonly string[]): boolean =>
    keywords.every((keyword) => text.toLowerCase().includes(keyword.toLowerCase()));
  if (fixture.suites.includes('write-back')) {
    for (const [turn, { gold_facts: facts }] of Object.entries(fixture.gold.turns)) {
      const sequence = fixture.turns.findIndex(({ turn_id: id }) => String(id) === turn) + 1;
      for (const { match_keywords: keywords } of facts) {
        const found = run.operations.find(({ text }) => says(text, keywords));
        note('write_back_fidelity', found !== undefined, `${turn} ${keywords.join(', ')}`);
        if (found)
          note(
            'provenance',
            found.sources.some((uri) => uri.endsWith(`/turn/${sequence}`)),
            turn,
          );
      }
    }
  }
  if (fixture.continuity?.pair_role !== 'reader') return;
  const text = [...run.injected.values()].map((turn) => turn.text).join('\n');
  for (const { match_keywords: keywords } of fixture.gold.continuity?.decisions ?? [])
    note('continuity', says(text, keywords), keywords.join(', '));
}

function described(counts: Counts): Record<string, string> {
  return Object.fromEntries(
    Object.entries(counts).map(([name, { of, got }]) => [name, `${(got / of).toFixed(4)} (${got}/${of})`]),
  );
}
