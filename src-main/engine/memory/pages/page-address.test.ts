import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkNewPath, slugOf } from './file-names.ts';
import { canonicalUri, pathOfUri, uriOfPath } from './page-address.ts';

describe('addresses', () => {
  it.each([
    ['strata://user/ann/memories/preferences/theme', 'memories/users/ann/preferences/theme.md'],
    ['strata://agent/main/memories/cases/slow-query', 'memories/agents/main/cases/slow-query.md'],
    ['strata://user/ann/memories/profile', 'memories/users/ann/profile.md'],
    ['strata://resources/MEMORY', 'MEMORY.md'],
    ['strata://resources/memory/2026-11-02', 'memory/2026-11-02.md'],
    ['strata://user/%E5%BC%A0%E4%B8%89/memories/entities/%F0%9F%98%80', 'memories/users/张三/entities/😀.md'],
    ['strata://user/a%2Fb/memories/x', 'memories/users/a%2Fb/x.md'],
    ['strata://user/../memories/x', 'memories/users/%2E%2E/x.md'],
    ['strata://user/CON/memories/x', 'memories/users/%43ON/x.md'],
  ])('%s is the file %s, and the other way round', (uri, path) => {
    expect([pathOfUri(uri), uriOfPath(path)]).toEqual([path, uri]);
  });

  it('any user, whatever the id, has a folder of its own', () => {
    const id = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(id, id, (a, b) => {
        const [first, second] = [a, b].map((user) => `strata://user/${encodeURIComponent(user)}/memories/x`);
        fc.pre(first !== second);
        expect(pathOfUri(first ?? '')).not.toBe(pathOfUri(second ?? ''));
        expect(uriOfPath(pathOfUri(first ?? ''))).toBe(canonicalUri(first ?? ''));
      }),
    );
  });

  it.each([
    'strata://resources/../x',
    'strata://resources/a%2Fb',
    'strata://resources/',
    'strata://user/ann/memories/../../x',
    'strata://resources/memories/users/ann/x',
    'strata://session/u/s',
    'file:///etc/passwd',
  ])('%s is no address of a page', (uri) => {
    expect(() => pathOfUri(uri)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  it('G17: a name with a slash keeps it, and folders above are dropped', () => {
    expect([slugOf('people/Lin Yao'), slugOf('../../etc/passwd'), slugOf('CON'), slugOf('!!!')]).toEqual([
      'people/lin-yao',
      'etc/passwd',
      'con-page',
      'untitled',
    ]);
  });

  it('a title of 300 characters becomes a name that a file system takes', () => {
    for (const title of ['x'.repeat(300), '记'.repeat(300), '😀'.repeat(300)]) {
      const slug = slugOf(title);
      expect([Buffer.byteLength(slug) <= 120, slug.isWellFormed()]).toEqual([true, true]);
    }
  });

  it.each([
    '.hidden/x.md',
    'a/CON.md',
    'a/nul.x.md',
    'a./x.md',
    'a:b.md',
    `${'x'.repeat(300)}.md`,
    'node_modules/x.md',
    'a//b.md',
  ])('no new file is called %s', (path) => {
    expect(() => checkNewPath(path)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });
});
