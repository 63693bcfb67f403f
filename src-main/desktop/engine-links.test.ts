import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LiveEvent } from '../../src-shared/model/events.ts';
import { routes } from '../../src-shared/protocol/routes.ts';
import { startHost, type Host } from '../host.ts';
import { silentLogger } from '../logger.ts';
import { productVersion } from '../product-version.ts';
import { answerCall } from './answer-call.ts';
import { connectEngine } from './connect-engine.ts';
import type { EngineLink } from './engine-link.ts';

const ownFrame = { url: 'app://inspector/', parent: null };

let dataDir = '';
const open: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'strata-desktop-'));
  await writeFile(join(dataDir, 'config.yaml'), 'port: 0\n');
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function daemon(port = 0): Promise<Host> {
  const host = await startHost({ dataDir, port, mode: 'headless', version: productVersion });
  open.push(host);
  return host;
}

async function connect(): Promise<EngineLink> {
  const options = { dataDir, version: productVersion, inspectorDir: dataDir, logger: silentLogger, patienceMs: 1_000 };
  const link = await connectEngine(options);
  open.push(link);
  return link;
}

const turn = (key: string) => ({
  body: {
    advancement_key: key,
    session_id: 's',
    session_key: 'agent:main:main',
    format: 'openai',
    messages: [{ role: 'user', content: `hello ${key}` }],
  },
});

function collect(link: EngineLink): { seen(type: LiveEvent['type']): Promise<void> } {
  const events: LiveEvent[] = [];
  link.subscribe((event) => events.push(event));
  return {
    seen: (type) => expect.poll(() => events.some((event) => event.type === type), { timeout: 15_000 }).toBe(true),
  };
}

/** Commits until the first event arrives: only then it is certain that the stream is open. */
async function committing(link: EngineLink, events: ReturnType<typeof collect>): Promise<void> {
  let count = 0;
  const timer = setInterval(() => void link.call('commitTurn', turn(`c${count++}`)), 50);
  await events.seen('turns.committed').finally(() => clearInterval(timer));
}

describe('the engine behind the window', () => {
  it('is hosted where nobody owns the data directory, and let go of at the end', async () => {
    const link = await connect();
    expect(link.kind).toBe('hosted');
    expect(await answerCall(link, ownFrame, 'health', {})).toMatchObject({ ok: true, value: { mode: 'desktop' } });
    const events = collect(link);
    await link.call('commitTurn', turn('a'));
    await events.seen('turns.committed');
    await link.close();
    expect((await daemon()).url).toMatch(/^http/);
  });

  it('is the daemon that owns the data directory, where one runs', async () => {
    const host = await daemon();
    const link = await connect();
    expect(link.kind).toBe('attached');
    const events = collect(link);
    await committing(link, events);
    expect(await link.call('sessions', { query: { limit: '1' } })).toMatchObject({ total: 1 });
    await link.close();
    expect((await fetch(`${host.url}/health`)).status).toBe(200);
  });

  it('follows a daemon that was started again, and tells the page to look anew', async () => {
    const host = await daemon();
    const link = await connect();
    const events = collect(link);
    await host.close();
    await events.seen('health.changed');
    expect(await answerCall(link, ownFrame, 'sessions', {})).toMatchObject({
      ok: false,
      error: { code: 'daemon_unreachable' },
    });
    await daemon();
    await expect
      .poll(async () => (await answerCall(link, ownFrame, 'sessions', {})).ok, { timeout: 10_000 })
      .toBe(true);
    await events.seen('stream.gap');
    await link.call('commitTurn', turn('after'));
    await events.seen('turns.committed');
  });

  it('refuses to start with the reason when the configuration is wrong', async () => {
    await writeFile(join(dataDir, 'config.yaml'), 'prot: 1\n');
    await expect(connect()).rejects.toMatchObject({ code: 'invalid_config', message: expect.stringContaining('prot') });
  });
});

describe('a call over IPC', () => {
  it.each([
    ['no frame', null],
    ['a frame inside the page', { url: 'app://inspector/', parent: {} }],
    ['another origin', { url: 'https://example.com/', parent: null }],
    ['an origin that looks like ours', { url: 'app://inspector.example.com/', parent: null }],
  ])('is refused from %s', async (_name, frame) => {
    const link = await connect();
    expect(await answerCall(link, frame, 'sessions', {})).toMatchObject({
      ok: false,
      error: { code: 'forbidden_origin' },
    });
  });

  it('reaches every route but those of the HTTP door', async () => {
    const asked: string[] = [];
    const link: EngineLink = {
      kind: 'hosted',
      call: (name) => Promise.resolve(asked.push(name)),
      subscribe: () => () => undefined,
      close: () => Promise.resolve(),
    };
    for (const { name } of routes) await answerCall(link, ownFrame, name, {});
    const doors = ['events', 'inspectorLink', 'inspectorSession'];
    expect(asked).toEqual(routes.map(({ name }) => name).filter((name) => !doors.includes(name)));
  });

  it.each([
    [undefined, {}],
    [{}, {}],
    ['sessions', null],
    ['sessions', 'x'],
    ['nope', {}],
    ['constructor', {}],
    ['sessions', { query: { limit: 'many' } }],
    ['session', {}],
    ['commitTurn', { body: { messages: 'none' } }],
  ])('answers nonsense with a typed error: %j %j', async (name, input) => {
    const link = await connect();
    const answer = await answerCall(link, ownFrame, name, input);
    expect(answer).toMatchObject({
      ok: false,
      error: { code: expect.stringMatching(/^(invalid_request|not_found)$/) },
    });
  });
});
