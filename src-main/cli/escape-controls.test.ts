import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionUri } from '../../src-shared/model/uri.ts';
import { startHost, type Host } from '../host.ts';
import { productVersion } from '../product-version.ts';
import { openSessionStore } from '../store/open-session-store.ts';
import { escapeControls } from './escape-controls.ts';
import { cliAt } from './testing/cli-at.ts';

const evil = 'clear\u001b[2J title\u001b]0;owned\u0007 back\rover c1\u009b31m turned\u202e';
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

let dataDir = '';
let host: Host;
let uid = '';

const cli = cliAt(() => dataDir);

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'strata-cli-controls-'));
  const store = openSessionStore({ dataDir, backups: 1 });
  const common = { payload: { said: evil }, priority: 0, maxAttempts: 1, timeoutMs: 60_000, at: Date.now() };
  await store.jobs.enqueue({ ...common, jobId: 'job_dead', type: 'gone' });
  const lease = await store.jobs.claim({ types: ['gone'], workerId: 'w', leaseMs: 1_000, now: Date.now() });
  if (!lease) throw new Error('nothing to claim');
  await store.jobs.fail(lease, { error: `The model said ${evil}`, outcome: 'failed', next: 'dead' }, Date.now());
  await store.close();
  host = await startHost({ dataDir, port: 0, mode: 'headless', version: productVersion });
  const identity = { session_id: 's1', session_key: `key ${evil}`, agent_id: 'main', format: 'openai' } as const;
  const messages = Array.from({ length: 40 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `We decided ${evil} that service ${index} listens on port ${4_000 + index}. `.repeat(8),
  }));
  const body = { ...identity, advancement_key: 'k', messages };
  await host.api.commitTurn({ params: {}, query: {}, body });
  const call = { ...identity, messages: [], history: 'window', token_budget: 8_000, reply: 'messages', prompt: evil };
  await host.api.assemble({ params: {}, query: {}, body: call } as never);
  uid = JSON.parse((await cli('sessions', '--json')).out).items[0].session_uid;
  await cli('compact', uid);
});

afterAll(async () => {
  await host.close();
  await rm(dataDir, { recursive: true, force: true });
});

describe('what people read', () => {
  it.each([
    ['sessions', () => ['sessions']],
    ['calls', () => ['calls', uid]],
    ['expand', () => ['expand', sessionUri('default', uid), '--query', 'service']],
    ['jobs', () => ['jobs']],
    ['jobs show', () => ['jobs', 'show', 'job_dead']],
    ['export', () => ['export', uid]],
    ['checkpoints', () => ['checkpoints', uid]],
  ])('%s shows control characters instead of sending them to the terminal', async (name, args) => {
    const { out, err } = await cli(...args());
    expect(out.length).toBeGreaterThan(50);
    expect(unsafe.exec(out + err)).toBeNull();
    if (name !== 'checkpoints') expect(out).toContain('\\u001b[2J');
  });

  it('so do checkpoints show and calls --call', async () => {
    const [checkpoint] = JSON.parse((await cli('checkpoints', uid, '--json')).out).items;
    const shown = await cli('checkpoints', 'show', checkpoint.checkpoint_id);
    expect(shown.out).toContain('service');
    expect(unsafe.exec(shown.out)).toBeNull();
    const [call] = JSON.parse((await cli('calls', uid, '--json')).out).items;
    expect(unsafe.exec((await cli('calls', '--call', call.call_id)).out)).toBeNull();
  });

  it('so do messages about what failed', async () => {
    const { err } = await cli('calls', `no such ${evil}`);
    expect(err).toContain('\\u001b[2J');
    expect(unsafe.exec(err)).toBeNull();
  });

  it('a program gets with --json what was stored', async () => {
    const { items } = JSON.parse((await cli('sessions', '--json')).out);
    expect(items[0].session_key).toBe(`key ${evil}`);
  });
});

describe('escapeControls', () => {
  it('leaves lines, tabs, emoji and every script as they are', () => {
    const text = 'Line\n\tتاریخ 数据库 👩‍💻 é';
    expect(escapeControls(text)).toBe(text);
  });

  it('shows an overwriting carriage return, and takes one that ends a line as a line break', () => {
    expect(escapeControls('one\r\ntwo\rthree')).toBe('one\ntwo\\u000dthree');
  });

  it('changes nothing in what a line of JSON means', () => {
    const value = { text: `${evil}\\\u202e\u007f` };
    expect(JSON.parse(escapeControls(JSON.stringify(value)))).toEqual(value);
  });
});
