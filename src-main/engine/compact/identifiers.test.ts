import { describe, expect, it } from 'vitest';
import { findIdentifiers } from './find-identifiers.ts';
import { mentionedIdentifiers, rankIdentifiers } from './rank-identifiers.ts';
import { readFocus } from './read-focus.ts';

const found = (text: string, policy: 'strict' | 'relaxed' | 'none' = 'strict'): string[] =>
  findIdentifiers(text, policy).map(({ kind, text: verbatim }) => `${kind} ${verbatim}`);

/** What is kept verbatim, and by which policies. */
const samples = [
  ['url', 'https://example.com/a/b?q=1&r=2#frag', false],
  ['url', 'http://localhost:3000/', false],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000', false],
  ['path', '/etc/nginx/nginx.conf', true],
  ['path', 'src/engine/app.ts:42:7', true],
  ['path', './scripts/build.sh', true],
  ['path', '~/notes/todo.md', true],
  ['path', 'C:\\Users\\me\\file.txt', true],
  ['path', 'package.json', true],
  ['path', '@scope/pkg/lib/index.js', true],
  ['host_port', '127.0.0.1:7717', false],
  ['host_port', 'db.internal.example:5432', false],
  ['host_port', '192.168.0.10', false],
  ['host_port', 'port 8080', false],
  ['line', 'line 118', false],
  ['hash', '9fceb02d0ae598e95dc970b74767f19372d61af8', false],
  ['hash', '9fceb02', false],
  ['function', 'resolveIdentity()', true],
  ['function', 'Assembler#assemble()', true],
  ['variable', 'tokenBudget', false],
  ['variable', 'MAX_RETRY_COUNT', false],
  ['variable', 'user_id', false],
  ['issue', 'openclaw/openclaw#121460', false],
  ['issue', '#4821', false],
  ['version', 'v24.21.0', false],
  ['version', '1.2.3-beta.4', false],
  ['id', 'ABC-1234', false],
  ['id', '202611300012', false],
  ['session_key', 'agent:main:subagent:5f0c2a', false],
  ['host', 'api.example.com', false],
  ['host', 'db.internal', false],
  ['host_port', '[::1]:8080', false],
  ['host_port', 'fe80::1ff:fe23:4567:890a', false],
  ['model', 'gpt-5.2-mini', false],
  ['model', 'claude-opus-4-5', false],
  ['model', 'claude-sonnet', false],
  ['model', 'qwen3:8b', false],
  ['model', 'openai/gpt-5.2', false],
  ['model', 'meta-llama/Llama-3.3-70B-Instruct', false],
  ['model', 'deepseek-r1:70b-q4_K_M', false],
  ['model', 'openai/o3', false],
  ['issue', 'PR 4821', false],
  ['issue', 'pull request 12', false],
  ['path', 'models/qwen3-8b.gguf', true],
  ['path', 'src/gpt-client/index.ts', true],
  ['id', 'CVE-2026-42559', false],
  ['error', 'ENOENT', false],
  ['error', 'TS2345', false],
  ['error', 'HTTP 503', false],
] as const;

describe.each([
  ['English', (text: string) => `We looked at ${text}, and that was it.`],
  ['English at the end', (text: string) => `The fault is in ${text}.`],
  ['Chinese', (text: string) => `我们检查了${text}，然后修好了。`],
  ['brackets', (text: string) => `See (${text}) for more`],
])('identifiers in %s', (_, around) => {
  it.each(samples)('H38: strict keeps %s %s, relaxed only paths and functions', (kind, text, relaxed) => {
    expect(found(around(text))).toEqual([`${kind} ${text}`]);
    expect(found(around(text), 'relaxed')).toEqual(relaxed ? [`${kind} ${text}`] : []);
    expect(found(around(text), 'none')).toEqual([]);
  });
});

describe('what is no identifier', () => {
  it.each([
    '0.123456789',
    'a loss of 0.123456789e-05 after',
    '3.14159265358979',
    'it took 1.5 s, 1,234,567 rows',
    'yes and/or no, he/she, 24/7, 100 km/h',
    'on 2026/11/30 at 10:30',
    'decade facade added',
    '1_000_000',
    'it costs $1234567 or 1234567 USD, €12345678, ¥ 1234567, 1234567元',
    'a share of 1234567% and 12345678 %',
    'on 20261130, on 30.11.2026 and on 2026.09.03',
    'from 10:30:15 to 11:45:00',
    'UTF-8, SHA-256 and ISO-8601',
    'the file(s) and word(s) of the user(s)',
    'a functional method of the party, def. of it',
    'phi and command are words, so is mistral',
    'We failed to agree on it.',
    '他们没有失败。',
    'e.g. this, i.e. that',
    'Nothing to see here at all.',
    '这里没有任何标识。',
    'why?!',
  ])('H37: %s', (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('findIdentifiers', () => {
  it('names each once, in the order of the first mention, the longest form only', () => {
    expect(found('`runIt` in src/a.ts, then src/a.ts again and https://x.io/src/a.ts')).toEqual([
      'variable runIt',
      'path src/a.ts',
      'url https://x.io/src/a.ts',
    ]);
  });

  it.each([
    ['It said "connection reset by peer" twice.', ['error connection reset by peer']],
    [
      'The log has TypeError: Cannot read properties of undefined. Then it ended.',
      ['error TypeError: Cannot read properties of undefined'],
    ],
    ['error[E0308]: mismatched types\nnext line', ['error error[E0308]: mismatched types']],
    ['日志里写着“无法连接到数据库”，然后退出。', ['error 无法连接到数据库']],
    ['报错：找不到模块 core。重启后正常。', ['error 报错：找不到模块 core']],
    ['He said "see you at noon" and left.', []],
  ])('knows error messages: %s', (text, wanted) => {
    expect(found(text)).toEqual(wanted);
  });

  it('names what an error message names by itself too', () => {
    expect(found("Error: ENOENT: no such file or directory, open '/etc/app.conf'")).toEqual([
      "error Error: ENOENT: no such file or directory, open '/etc/app.conf'",
      'path /etc/app.conf',
    ]);
  });

  it('knows functions by their calls, their definitions and in Chinese', () => {
    expect(found('call parseConfig(text), then store.open(path); def main(args); 函数 render 和变量 total')).toEqual([
      'function parseConfig',
      'function store.open',
      'function main',
      'function render',
      'variable total',
    ]);
    expect(found('the function `apply` is slow', 'relaxed')).toEqual(['function apply']);
  });

  it.each([
    ['请看 src/引擎/压缩/第0步.ts:10，然后修改。', 'src/引擎/压缩/第0步.ts:10'],
    ['文件在src/引擎/压缩.ts里', 'src/引擎/压缩.ts'],
    ['文件/home/用户/报告.docx 已保存', '/home/用户/报告.docx'],
    ['第3步完成，见docs/说明.md。', 'docs/说明.md'],
    ['ファイルはsrc/エンジン/圧縮.tsです', 'src/エンジン/圧縮.ts'],
  ])('knows a path with names in other scripts: %s', (text, path) => {
    expect(findIdentifiers(text, 'strict')).toContainEqual({ kind: 'path', text: path });
    expect(findIdentifiers(text, 'relaxed')).toContainEqual({ kind: 'path', text: path });
  });

  it('knows ports and lines in Chinese', () => {
    expect(found('端口 8080，第 42 行')).toEqual(['host_port 端口 8080', 'line 第 42 行']);
  });

  it.each([
    ['a', 200_000],
    ['a-', 100_000],
    ['a.', 100_000],
    ['@', 200_000],
    ['$', 200_000],
    ['/', 200_000],
    ['a/', 100_000],
    ['/中', 100_000],
    ['a中.b', 50_000],
    ['1.', 100_000],
    ['_a', 100_000],
    ['a::b', 50_000],
    ['`', 200_000],
    ['#', 200_000],
    ['agent:', 50_000],
    ['deadbeef1', 30_000],
    ['中', 200_000],
    ['gpt-', 50_000],
    ['gpt-5', 50_000],
    ['a:', 100_000],
    ['::', 100_000],
    ['a.com', 50_000],
    ['a.b.', 50_000],
    ['(', 200_000],
    ['a(', 100_000],
    ['"error ', 30_000],
    ['Error: ', 30_000],
    ['failed" ', 30_000],
    ['port ', 50_000],
    ['函数 a', 50_000],
    ['error: a\n', 30_000],
    ['0', 200_000],
    ['0a', 100_000],
    ['1.1.1', 40_000],
    ['1.2.3-a', 30_000],
    ['-a0', 70_000],
    ['a-', 100_000],
    ['A-1', 70_000],
    ['aA', 100_000],
    ['-1', 100_000],
    ['.-', 100_000],
    ['/.', 100_000],
    ['+a/.', 50_000],
    ['a://.', 40_000],
    ['://', 70_000],
    ['a.ts:1', 30_000],
    ['中/a.ts:', 25_000],
    ['line 1', 30_000],
    ['1,1', 70_000],
    ['[a:', 70_000],
    ['a.a', 70_000],
    [' ', 200_000],
    ['\n', 200_000],
  ])('a run of %j takes linear time: the test would not end in time otherwise', (piece, count) => {
    // A long tail behind the beginning of one, and a run that ends otherwise than it went on.
    for (const text of [
      piece.repeat(count),
      `1.1.${piece.repeat(count)}x0`,
      `1.2.3-${piece.repeat(count)}!`,
      `1.2.3-${piece.repeat(count)}.0`,
    ])
      expect(findIdentifiers(text, 'strict').length).toBeLessThan(text.length);
  });
});

describe('ranking', () => {
  const turn = (sequence: number, text: string) => ({ sequence, text, role: 'user' as const, tool: undefined });

  it('puts what most turns mention first, then what came last, then the alphabet', async () => {
    const turns = [turn(1, 'a.ts b.ts c.ts'), turn(2, 'b.ts a.ts'), turn(3, 'd.ts')];
    const ranked = rankIdentifiers(await mentionedIdentifiers(turns, 'strict'), new Set());
    expect(ranked.map(({ text }) => text)).toEqual(['a.ts', 'b.ts', 'd.ts', 'c.ts']);
  });

  it('puts the kinds that were asked for before all others', async () => {
    const turns = [turn(1, 'a.ts a.ts'), turn(2, 'a.ts and ABC-12')];
    const ranked = rankIdentifiers(
      await mentionedIdentifiers(turns, 'strict'),
      readFocus('/compact keep the ids').kinds,
    );
    expect(ranked[0]?.text).toBe('ABC-12');
  });
});

describe('readFocus', () => {
  it.each([
    ['/compact keep the ids', [], ['id', 'uuid', 'issue', 'session_key', 'hash']],
    ['please remember all file paths and the billing API', ['file', 'paths', 'billing', 'api'], ['path', 'line']],
    ['保留所有订单号', ['留所', '有订', '订单', '单号'], ['id', 'uuid', 'issue', 'session_key', 'hash']],
    ['', [], []],
  ])('%j', (text, words, kinds) => {
    const focus = readFocus(text);
    expect(focus.words).toEqual(expect.arrayContaining(words));
    expect([...focus.kinds]).toEqual(kinds);
    expect(focus.words).not.toContain('keep');
  });
});
