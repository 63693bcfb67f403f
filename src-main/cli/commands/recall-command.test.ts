import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RecallResult } from '../../../src-shared/model/recall.ts';
import { startHost, type Host } from '../../host.ts';
import { productVersion } from '../../product-version.ts';
import { runCli } from '../run-cli.ts';

let home = '';
let host: Host;

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

const files = {
  'companies/northwind.md': '# Northwind\n\nNorthwind trades in tulip bulbs.\n',
  'people/bo.md': '# Bo Chen\n\nBo Chen invested in [Northwind](../companies/northwind.md) early.\n',
};

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'strata-cli-'));
  for (const [path, text] of Object.entries(files)) {
    const file = join(home, 'data/workspace', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  host = await startHost({ dataDir: join(home, 'data'), port: 0, mode: 'headless', version: productVersion });
  // The watcher and the index follow by themselves.
  await vi.waitFor(
    async () => expect((await cli('recall', 'Bo Chen tulip Northwind')).out).toMatch(/bo[^]*northwind|northwind[^]*bo/),
    15_000,
  );
});

afterAll(async () => {
  await host.close();
  await rm(home, { recursive: true, force: true });
});

describe('strata recall', () => {
  it('prints what a model would be given, with its address', async () => {
    const { code, out } = await cli('recall', 'Who invested in Northwind?');
    expect(code).toBe(0);
    expect(out).toMatch(/^\d\.\d\d {2}Bo Chen {2}strata:\/\/resources\/people\/bo\nBo Chen invested in Northwind/);
  });

  it('explains the question, the parts of each score, and why each candidate was taken', async () => {
    const { out } = await cli('recall', 'Who invested in Northwind?', '--explain');
    expect(out).toContain('relation invested_in of strata://resources/companies/northwind');
    expect(out).toMatch(/lexical \d\.\d{3} \+ .*link \d\.\d{3}/);
    expect(out).toMatch(/\n {6}packed/);
  });

  it('prints one JSON document whose parts add up to the score', async () => {
    const result = JSON.parse((await cli('recall', 'Northwind tulips', '--json')).out) as RecallResult;
    const [first] = result.candidates;
    const sum = Object.values(first?.parts ?? {}).reduce((total, part) => total + part, 0);
    expect(sum).toBeCloseTo(first?.score ?? Number.NaN, 6);
  });

  it('says when memory holds nothing', async () => {
    expect((await cli('recall', 'zygomorphic quaternions')).out).toContain('Memory holds nothing certain enough');
  });

  it('shows a group nothing that is private', async () => {
    const { out } = await cli('recall', 'Who invested in Northwind?', '--session-key', 'agent:main:slack:channel:c1');
    expect(out).not.toContain('Bo Chen');
  });
});
