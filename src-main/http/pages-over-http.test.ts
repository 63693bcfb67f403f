import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startHost } from '../host.ts';
import { readEndpoint } from './endpoint-file.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

it('a page is changed over HTTP by whoever names the version that stands, and nobody else', async () => {
  const dataDir = await temporaryDirectory();
  const host = await startHost({ dataDir, port: 0, mode: 'headless', version: '1.0.0' });
  onTestFinished(async () => host.close());
  const endpoint = await readEndpoint(dataDir);
  const token = await readFile(join(dataDir, 'token'), 'utf8');
  const address = `${endpoint?.url ?? ''}/v1/pages/${encodeURIComponent('strata://resources/note')}`;
  const put = async (content: string, ifMatch?: string): Promise<Response> =>
    fetch(address, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${token.trim()}`,
        'content-type': 'application/json',
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      },
      body: JSON.stringify({ content }),
    });
  const first = await put('One.\n');
  expect(first.headers.get('etag')).toBe('"1"');
  const second = await put('Two.\n', first.headers.get('etag') ?? '');
  expect([second.status, second.headers.get('etag')]).toEqual([200, '"2"']);
  const late = await put('Late.\n', '"1"');
  expect(late.status).toBe(409);
  expect(await late.json()).toMatchObject({
    error: { code: 'page_conflict', details: { version: 2, content: 'Two.\n' } },
  });
  const { content_hash: hash } = (await second.json()) as { readonly content_hash: string };
  expect((await put('Three.\n', `"${hash}"`)).headers.get('etag')).toBe('"3"');
  expect((await put('Four.\n', '*')).status).toBe(400);
  expect(await readFile(join(dataDir, 'workspace', 'note.md'), 'utf8')).toBe('Three.\n');
});
