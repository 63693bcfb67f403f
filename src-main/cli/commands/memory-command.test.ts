import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHost, type Host } from '../../host.ts';
import { productVersion } from '../../product-version.ts';
import { cliAt } from '../testing/cli-at.ts';

let dataDir = '';
let host: Host;

const cli = cliAt(() => dataDir);

const json = async (...args: string[]) => JSON.parse((await cli(...args, '--json')).out);

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'strata-cli-memory-'));
  host = await startHost({ dataDir, port: 0, mode: 'headless', version: productVersion });
});
afterAll(async () => {
  await host.close();
  await rm(dataDir, { recursive: true, force: true });
});

it('memory says that nothing was judged, lists what was, and undoes one of it', async () => {
  expect((await cli('memory')).out).toBe('Nothing was judged about memory yet.\n');
  const body = { text: 'I prefer the dark theme. My password is Zebra99Stripes.' };
  await host.api.memoryStore({ params: {}, query: {}, body });
  const { out } = await cli('memory', 'log');
  expect(out).toMatch(/^OPERATION +ACTION +KIND +TEXT +WHY +BY +AGE +PAGE\n/);
  expect(out).toMatch(
    /op_\S+ +ADD +preference +The user prefers the dark theme\. +new +request .*strata:\/\/user\/default\/memories\/preferences\/theme/,
  );
  expect(out).toMatch(/REFUSED .*\[secret\]/);
  const [added] = (await json('memory', 'log', '--action', 'ADD')).items;
  const undone = await cli('memory', 'undo', added.operation_id);
  expect(undone).toMatchObject({ code: 0, out: `Undone: The user prefers the dark theme.\n${added.uri}\n` });
  expect((await cli('memory', 'log', '--page', added.uri)).out).toMatch(/ADD \(undone\)/);
  expect((await cli('memory', 'log', '--page', 'strata://user/default/memories/none')).out).toBe(
    'No such operations.\n',
  );
});

it('memory undo says what to do where there is no such operation', async () => {
  const { code, err } = await cli('memory', 'undo', 'op_nonsense');
  expect(code).toBe(1);
  expect(err).toContain('"npm run strata -- memory" lists those there are.');
});
