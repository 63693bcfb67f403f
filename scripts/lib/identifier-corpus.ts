import type { IdentifierKind } from '../../src-main/engine/compact/identifier-kinds.ts';
import type { SourceTurn } from '../../src-main/engine/compact/summariser.ts';

/** What a conversation about software names, six of each kind. */
export const corpusIdentifiers: Readonly<Record<IdentifierKind, readonly string[]>> = {
  path: [
    'src/store/open-store.ts:42',
    '/etc/strata/config.yaml',
    './scripts/build.sh',
    'C:\\Users\\ana\\notes.txt',
    'package-lock.json',
    '~/logs/daemon.log',
  ],
  line: ['line 118', 'lines 40-52', 'line 7', '第 42 行', 'line 2031', 'line 99'],
  function: ['openStore()', 'SessionStore.close()', 'parseConfig()', 'retryLater()', 'Queue#drain()', 'fs::read()'],
  variable: ['tokenBudget', 'MAX_RETRY_COUNT', 'user_id', 'lastSequence', 'isDegraded', 'STRATA_HOME'],
  hash: ['9fceb02d0ae598e9', 'a1b2c3d', 'deadbeef1234', '0f1e2d3c4b5a', '7c9e6679f', 'e83c5163316f'],
  uuid: [
    '123e4567-e89b-12d3-a456-426614174000',
    '550e8400-e29b-41d4-a716-446655440000',
    '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    'f47ac10b-58cc-4372-a567-0e02b2c3d479',
    '9b2d5c1e-4f3a-4b8e-9c7d-1a2b3c4d5e6f',
  ],
  url: [
    'https://api.example.com/v1/turns?limit=50',
    'http://localhost:3000/health',
    'https://docs.example.org/guide#setup',
    'wss://events.example.net/stream',
    'https://ci.example.com/run/88213',
    'ftp://files.example.org/pub/a.tar.gz',
  ],
  host: ['db.internal', 'build.corp', 'mail.example.org', 'cache.local', 'api.example.dev', 'nas.lan'],
  host_port: ['127.0.0.1:7717', 'db.example.com:5432', '192.168.0.10', 'port 8080', '[::1]:9229', '端口 6379'],
  version: ['v24.21.0', '16.2.1', '1.2.3-beta.4', '2026.9.3', '0.9.12', 'v3.0.0-rc.1'],
  issue: ['#4821', 'example/strata#77', 'PR 312', 'issue 9001', '#15', 'pull request 640'],
  error: [
    'connection reset by peer',
    'ECONNREFUSED',
    'TS2345',
    'permission denied for schema public',
    '无法连接到缓存',
    'HTTP 503',
  ],
  model: ['gpt-5.2-mini', 'claude-opus-4-5', 'qwen3:8b', 'openai/gpt-5.2', 'deepseek-r1:14b', 'gemini-3-flash'],
  id: ['OPS-1234', '202611300012', 'CVE-2026-42559', 'BILL-77', '8800553535', 'INC-20931'],
  session_key: [
    'agent:main:main',
    'agent:main:subagent:5f0c2a',
    'agent:ops:cron:nightly',
    'agent:main:telegram:group:42',
    'agent:dev:subagent:b81d07',
    'agent:main:discord:direct:7',
  ],
};

const english = [
  'I looked at %s yesterday evening, because the report of the customer pointed there.',
  'The change around %s is small, but three teams depend on it and nobody had written that down.',
  'After the restart %s was the first thing that looked odd to me in the overview.',
];
const chinese = ['昨天晚上我检查了 %s ，因为客户的报告提到了这里。', '重启以后 %s 看起来有点奇怪，需要再确认一次。'];
const talk = [
  'We went through the notes of the last meeting and nobody remembered why the nightly export was moved to the morning.',
  'The people from support would rather have a page that says plainly what is slow than another chart with many colours.',
  'If the backup is late again we should tell the office before they notice it themselves, as happened in spring.',
  'I would keep the wording of the message short, since most of them read it on a phone between two meetings.',
];
const quotes: ReadonlySet<IdentifierKind> = new Set(['error']);

/** One conversation that names each of them once, two in five in Chinese, with talk between. */
export function identifierCorpus(): readonly SourceTurn[] {
  const names = Object.entries(corpusIdentifiers) as [IdentifierKind, readonly string[]][];
  const turns: SourceTurn[] = [];
  for (let round = 0; round < 6; round += 1) {
    for (const [index, [kind, texts]] of names.entries()) {
      const frames = (round + index) % 5 < 3 ? english : chinese;
      const frame = frames[(round + index) % frames.length] ?? '%s';
      const text = texts[round] ?? '';
      const said = frame.replace('%s', () =>
        quotes.has(kind) && /\s|\p{Script=Han}/u.test(text) ? `"${text}"` : text,
      );
      const role = turns.length % 2 === 0 ? 'user' : 'assistant';
      const around = [0, 1].map((offset) => talk[(turns.length + offset) % talk.length]).join(' ');
      turns.push({ sequence: turns.length + 1, role, text: `${said} ${around}`, tool: undefined });
    }
  }
  return turns;
}
