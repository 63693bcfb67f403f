import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { parseUri } from '../src-shared/model/uri.ts';
import { startMemoryDaemon, type MemoryDaemon } from './memory-daemon.ts';
import { RecallTally } from './recall-tally.ts';

const turnSchema = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.string().optional(),
});
const conversationSchema = z.object({
  sample_id: z.string(),
  conversation: z.record(z.string(), z.unknown()),
  qa: z.array(
    z.object({ question: z.string(), category: z.number(), evidence: z.array(z.unknown()).optional() }).loose(),
  ),
});

interface Dialog {
  readonly id: string;
  readonly session: number;
}

/** Conversations, counted from 1, whose questions the weights were tuned on; the others were not looked at. */
const tuned = 2;
const mostRanked = 100;

/**
 * LoCoMo (snap-research/LoCoMo): share of the evidence of each question among the best k turns, and among the best k
 * sessions in the order in which their first turn is found. Questions without evidence that exists are left out.
 */
export async function benchLocomo(data: string): Promise<unknown> {
  const conversations = z.array(conversationSchema).parse(JSON.parse(await readFile(data, 'utf8')));
  const memory = await startMemoryDaemon();
  try {
    const stored: ReadonlyMap<string, Dialog>[] = [];
    for (const conversation of conversations) stored.push(await store(conversation, memory));
    await memory.indexed();
    const tally = new RecallTally();
    const times: number[] = [];
    for (const [index, conversation] of conversations.entries()) {
      await ask(conversation, stored[index] ?? new Map(), { memory, tally, times, isTuned: index < tuned });
    }
    return { ...tally.result(), questions: times.length, p50_ms: median(times) };
  } finally {
    await memory.close();
  }
}

/** Each conversation is a user of its own, each of its sessions a session; the speaker is the message's name. */
async function store(
  { sample_id: user, conversation }: z.infer<typeof conversationSchema>,
  { daemon }: MemoryDaemon,
): Promise<ReadonlyMap<string, Dialog>> {
  const dialogs = new Map<string, Dialog>();
  const bySession = new Map<string, readonly Dialog[]>();
  for (const [key, value] of Object.entries(conversation)) {
    const session = /^session_(\d+)$/.exec(key)?.[1];
    if (session === undefined) continue;
    const turns = z.array(turnSchema).parse(value);
    const at = dateOf(z.string().catch('').parse(conversation[`${key}_date_time`]));
    const sessionId = `${user}-${session}`;
    await daemon.post('/v1/commit-turn', {
      ...{ session_id: sessionId, session_key: `agent:main:${sessionId}`, agent_id: 'main', user_id: user },
      ...{ advancement_key: sessionId, format: 'openai' },
      messages: turns.map((turn, index) => ({
        role: turn.speaker === conversation['speaker_a'] ? 'user' : 'assistant',
        name: turn.speaker,
        content: turn.blip_caption === undefined ? turn.text : `${turn.text} ${turn.blip_caption}`,
        timestamp: at + index * 1_000,
      })),
    });
    bySession.set(
      sessionId,
      turns.map(({ dia_id: id }) => ({ id, session: Number(session) })),
    );
  }
  const sessionSchema = z.object({ session_id: z.string(), session_uid: z.string() }).loose();
  const listSchema = z.object({ items: z.array(sessionSchema), next_cursor: z.string().nullish() }).loose();
  let cursor = '';
  do {
    const page = listSchema.parse(await daemon.get(`/v1/sessions?limit=100${cursor}`));
    for (const { session_id: sessionId, session_uid: uid } of page.items) {
      bySession.get(sessionId)?.forEach((dialog, index) => dialogs.set(`${uid}/${index + 1}`, dialog));
    }
    cursor = page.next_cursor ? `&cursor=${encodeURIComponent(page.next_cursor)}` : '';
  } while (cursor !== '');
  return dialogs;
}

async function ask(
  { sample_id: user, qa }: z.infer<typeof conversationSchema>,
  dialogs: ReadonlyMap<string, Dialog>,
  into: {
    readonly memory: MemoryDaemon;
    readonly tally: RecallTally;
    readonly times: number[];
    readonly isTuned: boolean;
  },
): Promise<void> {
  const known = new Map([...dialogs.values()].map((dialog) => [dialog.id, dialog]));
  for (const { question, category, evidence = [] } of qa) {
    const wanted = [...new Set(evidence.flatMap(idsIn))].flatMap((id) => known.get(id) ?? []);
    if (wanted.length === 0) continue;
    const result = await into.memory.search({
      ...{ query: question, user_id: user, sources: ['turn'], limit: mostRanked, max_tokens: 200_000, min_score: 0 },
    });
    into.times.push(result.duration_ms);
    const ranked = result.candidates.flatMap((candidate) => {
      const uri = parseUri(candidate.uri);
      const dialog = uri.kind === 'turn' ? dialogs.get(`${uri.sessionUid}/${uri.sequence}`) : undefined;
      return candidate.packed && dialog ? [dialog] : [];
    });
    into.tally.add(
      {
        dialogs: ranked.map(({ id }) => id),
        sessions: [...new Set(ranked.map(({ session }) => String(session)))],
        wantedDialogs: wanted.map(({ id }) => id),
        wantedSessions: [...new Set(wanted.map(({ session }) => String(session)))],
      },
      [categories[category] ?? `category_${category}`, into.isTuned ? 'tuned_1_2' : 'held_out_3_5'],
    );
  }
}

const categories: Readonly<Record<number, string>> = {
  1: 'multi_hop',
  2: 'temporal',
  3: 'open_domain',
  4: 'single_hop',
  5: 'adversarial',
};

/** Evidence is `D8:6`, sometimes several in one text, `D:11:26`, or `D30:05`. */
function idsIn(evidence: unknown): string[] {
  return [...String(evidence).matchAll(/D:?(\d+):(\d+)/g)].map(
    ([, session, turn]) => `D${Number(session)}:${Number(turn)}`,
  );
}

/** `1:56 pm on 8 May, 2023`. */
function dateOf(text: string): number {
  const [, hour, minute, half, day, month, year] = /(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)/.exec(text) ?? [];
  const date = Date.parse(`${day} ${month} ${year} UTC`);
  return Number.isNaN(date)
    ? 0
    : date + (((Number(hour) % 12) + (half === 'pm' ? 12 : 0)) * 60 + Number(minute)) * 60_000;
}

function median(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length / 2)] ?? 0) * 10) / 10;
}
