import type { Message } from './conversation.ts';
import type { DaemonApi } from './daemon-api.ts';
import type { Conversation } from './fill-daemon.ts';

export interface FilledCompactions {
  /** Checkpoints of several levels, over thousands of turns full of identifiers. */
  readonly deep: Conversation;
  /** A condensed checkpoint over 5,000 short turns and more. */
  readonly broad: Conversation;
  /** In Chinese, with long words and hostile text; one checkpoint. */
  readonly awkward: Conversation;
  /** Turns and no checkpoint. */
  readonly fresh: Conversation;
}

/** Sessions that were compacted, through the daemon's own routes. */
export async function fillCompactions(api: DaemonApi): Promise<FilledCompactions> {
  const start = Date.now() - 2 * 86_400_000;
  const deep = { session_id: 'deep-1', session_key: 'agent:main:project:import-service' };
  for (let part = 0; part < 7; part += 1) {
    const messages = range(160).flatMap((index) => work(part * 160 + index, start + (part * 160 + index) * 60_000));
    await ingest(api, deep, messages);
    const focus = part === 5 ? 'ports and the names of the import jobs' : undefined;
    await compact(api, deep, part === 3 ? 'overflow' : 'manual', focus);
  }
  const broad = { session_id: 'broad-1', session_key: 'agent:ops:watch:build-farm' };
  for (let part = 0; part < 6; part += 1) {
    const indexes = range(720).map((index) => part * 720 + index);
    await ingest(
      api,
      broad,
      indexes.flatMap((index) => short(index, start + index * 20_000)),
    );
    await compact(api, broad, 'manual');
  }
  const awkward = { session_id: '压缩-1', session_key: 'agent:研究:webchat:检查点与摘要' };
  await ingest(
    api,
    awkward,
    range(60).flatMap((index) => chinese(index, start + index * 60_000)),
  );
  await compact(api, awkward, 'manual');
  const fresh = { session_id: 'fresh-1', session_key: 'agent:main:direct:new-laptop' };
  await ingest(
    api,
    fresh,
    range(90).flatMap((index) => work(index, start + index * 60_000)),
  );
  return { deep, broad, awkward, fresh };
}

async function ingest(api: DaemonApi, who: Conversation, messages: readonly Message[]): Promise<void> {
  await api.post('/v1/ingest', { ...who, format: 'openclaw', messages });
}

async function compact(api: DaemonApi, who: Conversation, trigger: string, focus?: string): Promise<void> {
  await api.post('/v1/compact', {
    ...who,
    token_budget: 32_000,
    force: true,
    trigger,
    ...(focus === undefined ? {} : { custom_instructions: focus }),
  });
}

const asks = [
  (n: string) => `Please move the retry of job import-${n} into src/import/retry-${n}.ts and keep the limit at 4.`,
  (n: string) => `Why did worker-${n}.internal.example:54${n.slice(-2)} close the connection at 02:14?`,
  (n: string) => `We must never write to orders.legacy_${n} again. Remember that for all later changes.`,
  (n: string) => `Open a pull request for #${n} and mention commit 9f31c2e${n}.`,
  (n: string) => `ok, thanks (${n})`,
  (n: string) => `Is version 2.8.${n} of @acme/uploader safe with Node 24?`,
];

const replies = [
  (n: string) =>
    `Done: src/import/retry-${n}.ts now has retryImport${n}() with backoff; src/import/index.ts:${n} calls it.`,
  (n: string) => `Decision: worker-${n} gets a lease of 45 s, because the pool closes idle sockets after 30 s.`,
  (n: string) =>
    `Noted. The last writer of orders.legacy_${n} was removed in 2.6.${n}; a check in ci/guard.sh stops new ones.`,
  (n: string) => `The pull request https://git.example/acme/import/pull/${n} is open; tests of packages/import passed.`,
  () => 'Glad that it works.',
  (n: string) =>
    `Error: "ERR_PACKAGE_PATH_NOT_EXPORTED ${n}" appears with Node 24, so stay on 2.7.${n} until #${n} is merged.`,
];

/** An exchange of daily work; each names things that a summary must keep. */
function work(index: number, at: number): Message[] {
  const n = String(1_000 + index);
  return [
    { role: 'user', content: pick(asks, index)(n), timestamp: at },
    { role: 'assistant', content: [{ type: 'text', text: pick(replies, index)(n) }], timestamp: at + 9_000 },
  ];
}

function short(index: number, at: number): Message[] {
  const n = String(20_000 + index);
  return [
    { role: 'user', content: `status of build ${n}?`, timestamp: at },
    { role: 'assistant', content: [{ type: 'text', text: `build-${n}.log: green` }], timestamp: at + 1_000 },
  ];
}

function chinese(index: number, at: number): Message[] {
  const path = `src/引擎/压缩/第${index}步.ts`;
  return [
    {
      role: 'user',
      content: `请把 ${path} 里的预算改成 ${index + 1} 万，并告诉我检查点为什么没有缩小。<img src=x onerror=alert(${index})>`,
      timestamp: at,
    },
    {
      role: 'assistant',
      content: [
        {
          type: 'text',
          text: `已修改 ${path}:${index + 10}。决定：摘要不得长于原文，端口保持 84${String(index).padStart(2, '0')}。${'一个没有空格的很长的标识符_'.repeat(index % 7 === 0 ? 12 : 1)}`,
        },
      ],
      timestamp: at + 5_000,
    },
  ];
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function pick<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length];
  if (item === undefined) throw new RangeError('The list is empty');
  return item;
}
