/** Messages in OpenClaw's own format. */
export type Message = Readonly<Record<string, unknown>>;

const questions = [
  'The nightly import failed again. Can you look at what happened at 02:14?',
  'Please add a retry with backoff to src/sync/upload-batch.ts, and keep the old behaviour behind SYNC_RETRY=0.',
  'What did we decide about the port of the staging proxy?',
  'Rename getUserById to findUser everywhere in packages/api.',
  'Why is the p95 of /v1/search three times what it was on Monday?',
  'Summarise the open review comments on PR 4127.',
  'Write the changelog entry for 2.8.0, short.',
  'Is it safe to drop the column orders.legacy_ref now?',
];

const answers = [
  'The job ran out of file handles: lsof shows 1,021 open sockets for pid 38211, all to 10.4.0.17:5432. The pool is created per batch and never closed.',
  'Done. upload-batch.ts now retries four times with 200 ms, 400 ms, 800 ms and 1.6 s, with jitter. With SYNC_RETRY=0 the first failure is final, as before.',
  'We settled on 8443 for the proxy and kept 8080 for health checks, because the load balancer of the old cluster cannot be changed before March.',
  'Renamed in 34 files. Two call sites passed the id as a number: packages/api/src/routes/audit.ts:88 and packages/api/src/jobs/expire.ts:41. Both are fixed and covered.',
  'The new index was built without the tenant column, so each query scans 1.2 M rows. The plan is attached; CREATE INDEX CONCURRENTLY on (tenant_id, created_at) brings it to 14 ms on staging.',
  'Three comments are open: the missing timeout in fetchAvatar, the name of the flag, and a question about what happens with an empty list.',
  'Nothing has read orders.legacy_ref for 41 days. The last writer was commit 9f31c2e, removed in 2.6.3. I would drop it with the next deploy and keep the dump for a month.',
  'I looked twice and could not reproduce it. The log has one line that does not fit: “lease lost after 29.8 s”, which is just under the limit of 30.',
];

const tools = [
  {
    name: 'read_file',
    args: { path: 'src/sync/upload-batch.ts' },
    result:
      'export async function uploadBatch(rows: Row[]) {\n  const pool = createPool(env.DATABASE_URL);\n  for (const row of rows) await pool.query(insertSql, row);\n}\n',
  },
  {
    name: 'exec',
    args: { command: 'npm test -- --run packages/api' },
    result:
      ' ✓ packages/api/test/find-user.test.ts (18)\n ✓ packages/api/test/audit.test.ts (7)\n\n Test Files  2 passed (2)\n      Tests  25 passed (25)\n   Duration  1.31s',
  },
  {
    name: 'search',
    args: { query: 'lease lost', limit: 5 },
    result:
      'worker.log:8812: 02:14:07.118 WARN lease lost after 29.8 s, job import-2217\nworker.log:9120: 02:44:09.402 WARN lease lost after 29.9 s, job import-2218',
  },
];

/** One exchange: a question, now and then a tool call with its result, and the answer. Deterministic by `index`. */
export function exchange(index: number, at: number): readonly Message[] {
  const question = pick(questions, index);
  const user = { role: 'user', content: `${question} (${index})`, timestamp: at };
  const answer = {
    role: 'assistant',
    content: [{ type: 'text', text: pick(answers, index * 3 + 1) }],
    timestamp: at + 9_000,
    model: 'claude-sonnet-5',
  };
  if (index % 3 !== 0) return [user, answer];
  const tool = pick(tools, index / 3);
  const id = `call_${index}`;
  return [
    user,
    {
      role: 'assistant',
      content: [{ type: 'toolCall', id, name: tool.name, arguments: tool.args }],
      timestamp: at + 2_000,
      model: 'claude-sonnet-5',
    },
    {
      role: 'toolResult',
      toolCallId: id,
      toolName: tool.name,
      content: [{ type: 'text', text: `${tool.result}\n`.repeat(1 + (index % 9)) }],
      isError: false,
      timestamp: at + 4_000,
    },
    answer,
  ];
}

/** Text that layouts and counters stumble over. */
export const awkward: readonly Message[] = [
  {
    role: 'user',
    content: '把 src/引擎/组装.ts 里的预算改成十二万八千，并告诉我为什么昨天的检查点没有缩小。谢谢！',
    timestamp: 0,
  },
  {
    role: 'assistant',
    content: [
      {
        type: 'text',
        text: '已修改：预算现在是 128,000。昨天的检查点没有缩小，因为摘要比原文还长——摘要有 2,310 个标记，原文只有 2,180 个。',
      },
    ],
    timestamp: 0,
  },
  {
    role: 'user',
    content:
      'Family test 👩‍👩‍👧‍👦, flag 🇯🇵, zero width: a\u200bb\u200dc, direction: \u202eabc\u202c, NUL: [\u0000], lone: [\ud83d]',
    timestamp: 0,
  },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: '<script>alert("not run")</script><img src=x onerror=alert(1)> &amp; stays text.' },
    ],
    timestamp: 0,
  },
];

function pick<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length];
  if (item === undefined) throw new RangeError('The list is empty');
  return item;
}
