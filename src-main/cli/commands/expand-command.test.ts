import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MemoryExpandReply } from '../../../src-shared/protocol/tools.ts';
import { startHost, type Host } from '../../host.ts';
import { productVersion } from '../../product-version.ts';
import { runCli } from '../run-cli.ts';

let home = '';
let host: Host;
let uri = '';
const text = Array.from({ length: 2_000 }, (_, at) => `row ${at}: ${at === 777 ? 'the needle' : 'hay'}`).join('\n');

async function cli(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const code = await runCli(args, {
    env: { HOME: home, STRATA_HOME: join(home, 'data'), PATH: '/nonexistent' },
    stdout: (written) => (out += written),
    stderr: (written) => (err += written),
    now: () => new Date(),
    root: home,
  });
  return { code, out, err };
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'strata-cli-'));
  host = await startHost({ dataDir: join(home, 'data'), port: 0, mode: 'headless', version: productVersion });
  const message = { role: 'toolResult', content: [{ type: 'text', text }] };
  const body = { session_id: 's1', format: 'openclaw', tool_name: 'read', tool_call_id: 'a', message, replaced: false };
  const reply = await host.api.toolResult({ params: {}, query: {}, body } as never);
  uri = reply.uri ?? '';
});

afterAll(async () => {
  await host.close();
  await rm(home, { recursive: true, force: true });
});

describe('strata expand', () => {
  it('shows what a query finds, with its lines', async () => {
    const { code, out } = await cli('expand', uri, '--query', 'needle');
    expect(code).toBe(0);
    expect(out).toContain('Result of read: plain');
    expect(out).toMatch(/Lines \d+–\d+:\n/);
    expect(out).toContain('row 777: the needle');
  });

  it('reads a range, and says how to go on where there is more', async () => {
    expect((await cli('expand', uri, '--range', 'lines 3-4')).out).toContain('Lines 3–4:\nrow 2: hay\nrow 3: hay');
    const { err } = await cli('expand', uri, '--max-tokens', '200');
    const cursor = /--cursor (\S+)/.exec(err)?.[1] ?? '';
    const next = JSON.parse((await cli('expand', uri, '--cursor', cursor, '--json')).out) as MemoryExpandReply;
    expect(next.passages[0]?.start_line).toBeGreaterThan(10);
  });

  it('says when nothing is found, and what is wrong with an address', async () => {
    expect((await cli('expand', uri, '--query', 'nowhere')).out).toContain('Nothing of it was found.');
    const wrong = await cli('expand', 'strata://session/default/none');
    expect(wrong.code).toBe(1);
    expect(wrong.err).toContain('Give a strata:// uri whole');
    expect((await cli('expand', uri, '--limit', '0')).code).toBe(2);
  });
});
