import { expect, it } from 'vitest';
import { extractByRules } from '../rules/extract-by-rules.ts';
import { checkGates } from './check-gates.ts';
import { maskSecrets } from './mask-secrets.ts';

function gate(text: string) {
  const [candidate] = extractByRules({
    text,
    sources: ['turn'],
    at: Date.parse('2026-11-02T09:00:00Z'),
    timeZone: 'UTC',
  });
  if (!candidate) throw new Error(`There is no candidate in: ${text}`);
  return checkGates(candidate);
}

it.each([
  ['Remember that the wifi password is hunter2secret.', 'secret'],
  ['Remember that my API key is sk-proj-abcdefghijklmnop1234567890.', 'secret'],
  ['Remember that the card is 4111 1111 1111 1111.', 'secret'],
  ['记住数据库的密码是 hunter2secret', 'secret'],
  ['Remember that the function parseUri is defined in src/uri.ts.', 'code_structure'],
  ['Remember that src/app.ts:42 calls main.', 'code_structure'],
  ['记住函数 parseUri 定义在 uri.ts', 'code_structure'],
  ['Remember that commit 1a2b3c4d5e fixed the login.', 'git_history'],
  ['记住最近一次提交修复了登录', 'git_history'],
  ['I prefer tabs in this file.', 'temporary_task'],
  ['Never use semicolons in this function.', 'temporary_task'],
  ['默认用 pnpm，这次除外。', 'temporary_task'],
])('%s is refused as %s', (text, code) => {
  expect(gate(text).refusal?.code).toBe(code);
});

it.each([
  'Remember that I prefer the dark theme.',
  'Remember that my password manager is Bitwarden.',
  'We decided to rotate tokens monthly.',
  'Remember that the staging server is at 10.0.0.5.',
  '记住我喜欢深色主题。',
])('%s may be kept', (text) => {
  expect(gate(text).refusal).toBeUndefined();
});

it('a secret is nowhere in what is left of a refused candidate', () => {
  const { candidate, refusal } = gate('Remember that the admin password is Zebra99Stripes!.');
  expect(JSON.stringify([candidate, refusal])).not.toContain('Zebra99');
  expect(candidate.text).toContain('[secret]');
});

it.each([
  'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
  'AKIAIOSFODNN7EXAMPLE',
  'xoxb-123456789012-abcdefghijklmnop',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefgh',
  '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----',
  'postgres://admin:Zebra99Stripes@host/db',
  'Authorization: Bearer abcdef123456ghijkl',
  'token=Zebra99StripesAreNice',
  'q8Zr4vTn1XwK7pLs9YbD3mCe',
  'my pin is 4821',
  '5500 0000 0000 0004',
])('%s is masked', (secret) => {
  expect(maskSecrets(`It says ${secret} here.`).text).toContain('[secret]');
});

it.each([
  'the commit 3f786850e387550fdab836ed7e6dc881de23001b',
  'the session 123e4567-e89b-12d3-a456-426614174000',
  'call 4111 1111 1111 1112 for help',
  'src/engine/memory/extract/rules/ExtractByRules2.ts',
  'the token limit is 8,000 tokens',
  'tokens are counted by the tokenizer',
  'https://example.com/docs/GettingStarted2026',
])('%s is no secret', (text) => {
  expect(maskSecrets(text)).toEqual({ text, found: [] });
});
