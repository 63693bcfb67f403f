import { describe, expect, it } from 'vitest';
import { fromEditorText, toEditorText } from './editor-text.ts';
import { diffLines } from './diff-lines.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { countChanges, foldDiff } from './fold-diff.ts';
import { markTerms } from './mark-terms.ts';
import { pageMatcher } from './matches-page.ts';
import { memoryFigures } from './memory-figures.ts';
import { foldersAbove, memoryTree, treeRows } from './memory-tree.ts';
import { knownOwners, ownerKey, suggestPath } from './new-page-choices.ts';
import { newPageUri, slugOf, whyNoPath } from './new-page-uri.ts';
import { pageText } from './page-text.ts';
import { ownerWords, pageName } from './page-words.ts';
import { placeOfUri } from './place-of-uri.ts';
import { pageNames, resolvePageName } from './resolve-page-name.ts';
import { sampleHead } from './testing/memory-samples.ts';

const user = (path: string, over = {}) =>
  sampleHead({
    uri: `strata://user/local/memories/${path}`,
    path: `memories/users/local/${path}.md`,
    title: path,
    ...over,
  });
const agent = (path: string) => sampleHead({ uri: `strata://agent/main/memories/${path}`, title: path });
const file = (path: string, over = {}) =>
  sampleHead({ uri: `strata://resources/${path}`, path: `${path}.md`, kind: 'note', title: path, ...over });

describe('the tree of files', () => {
  const pages = [
    file('MEMORY'),
    agent('skills/kubectl'),
    user('preferences/tea 10'),
    user('preferences/tea 9'),
    user('profile'),
    file('memory/2026-11-02', { problem: { code: 'too_large', message: 'Too large.' } }),
  ];

  it('has users before agents before other files, folders before pages, and numbers in their order', () => {
    expect(
      treeRows(memoryTree(pages), new Set()).map(
        (row) => `${row.level} ${row.type === 'page' ? row.page.title : row.name}`,
      ),
    ).toEqual([
      '1 local',
      '2 preferences',
      '3 preferences/tea 9',
      '3 preferences/tea 10',
      '2 profile',
      '1 main',
      '2 skills',
      '3 skills/kubectl',
      '1 workspace',
      '2 memory',
      '3 memory/2026-11-02',
      '2 MEMORY',
    ]);
  });

  it('counts what is under a folder, and what of it cannot be read', () => {
    const rows = treeRows(memoryTree(pages), new Set());
    expect(rows.find((row) => row.key === 'workspace workspace')).toMatchObject({ pages: 2, problems: 1 });
    expect(rows.find((row) => row.key === 'user local')).toMatchObject({ pages: 3, problems: 0 });
  });

  it('leaves out what is below a closed folder', () => {
    const rows = treeRows(memoryTree(pages), new Set(['user local', 'agent main', 'workspace workspace/memory']));
    expect(rows.map((row) => row.key)).toEqual([
      'user local',
      'agent main',
      'workspace workspace',
      'workspace workspace/memory',
      'strata://resources/MEMORY',
    ]);
  });

  it('knows the folders above a page, outermost first', () => {
    expect(foldersAbove(user('a/b/c'))).toEqual(['user local', 'user local/a', 'user local/a/b']);
    expect(treeRows(memoryTree([user('a/b/c')]), new Set()).map((row) => row.key)).toEqual([
      ...foldersAbove(user('a/b/c')),
      user('a/b/c').uri,
    ]);
  });
});

describe('the filter of files', () => {
  const page = user('preferences/tea', {
    title: 'Tee ohne Zucker',
    aliases: ['绿茶'],
    tags: ['food'],
    abstract: 'In the afternoon',
  });

  it.each(['zucker', 'ZUCKER afternoon', '绿茶', 'food', 'preferences/'])('finds “%s”', (find) => {
    expect(pageMatcher({ find })(page)).toBe(true);
  });

  it('wants every word', () => {
    expect(pageMatcher({ find: 'zucker coffee' })(page)).toBe(false);
  });

  it('takes a file that cannot be read for no status', () => {
    const broken = { ...page, problem: { code: 'x', message: 'y' } };
    expect(pageMatcher({ mark: 'active' })(broken)).toBe(false);
    expect(pageMatcher({ mark: 'problem' })(broken)).toBe(true);
    expect(pageMatcher({ mark: 'active', kind: 'preference' })(page)).toBe(true);
    expect(pageMatcher({ mark: 'pinned' })(page)).toBe(false);
  });
});

describe('the figures of memory', () => {
  it('count kinds by status, and files that cannot be read apart', () => {
    const figures = memoryFigures([
      user('a', { status: 'retired' }),
      user('b', { pinned: true, updated_at: '2026-11-04T00:00:00Z' }),
      file('c', { problem: { code: 'x', message: 'y' } }),
    ]);
    expect(figures.kinds).toEqual([{ kind: 'preference', active: 1, superseded: 0, retired: 1 }]);
    expect(figures.problems.map(pageName)).toEqual(['c']);
    expect(figures.pinned.map(pageName)).toEqual(['b']);
    expect(figures.recent.map(pageName)).toEqual(['b', 'a']);
  });
});

describe('addresses of new pages', () => {
  it.each([
    ['Green tea, please!', 'green-tea-please'],
    ['绿茶 不加糖', '绿茶-不加糖'],
    ['  Élan  ', 'élan'],
    ['!?', ''],
    [`${'long '.repeat(60)}`, `${'long-'.repeat(16).slice(0, 79)}`],
  ])('of “%s” are “%s”', (title, slug) => {
    expect(slugOf(title)).toBe(slug);
  });

  it.each(['', 'a//b', '/a', 'a/', '..', 'a/../b', '.git/x', 'a\\b'])('refuse “%s” with a reason', (path) => {
    expect(whyNoPath(path)).toMatch(/\.$/);
  });

  it('are percent-encoded', () => {
    expect(whyNoPath('notes/绿茶')).toBeUndefined();
    expect(newPageUri({ owner: 'workspace' }, 'notes/a b')).toBe('strata://resources/notes/a%20b');
  });

  it('follow the folder where pages of the kind stand, else the kind’s own', () => {
    const owner = { owner: 'user', userId: 'local' } as const;
    expect(suggestPath([user('likes/tea')], owner, 'preference', 'coffee')).toBe('likes/coffee');
    expect(suggestPath([], owner, 'preference', 'coffee')).toBe('preferences/coffee');
    expect(suggestPath([], owner, 'recipe', 'soup')).toBe('recipe/soup');
    expect(suggestPath([], owner, 'profile', '')).toBe('profile');
    expect(suggestPath([], { owner: 'workspace' }, 'note', 'x')).toBe('x');
  });

  it('offer the owner of the open page first, and everybody once', () => {
    const owners = knownOwners([user('a'), agent('b'), user('c')], agent('b').uri);
    expect(owners.map(ownerKey)).toEqual(['agent main', 'user local', 'workspace']);
  });
});

describe('where a URI leads', () => {
  it.each([
    ['strata://user/local/memories/a/b', { at: 'memory', page: 'strata://user/local/memories/a/b' }],
    ['strata://session/local/s1/turn/17', { at: 'session', uid: 's1', tab: 'turns', turn: 17 }],
    ['strata://session/local/s1/checkpoint/c1', { at: 'checkpoint', uid: 's1', checkpointId: 'c1' }],
    ['strata://session/local/s1', { at: 'session', uid: 's1', tab: 'calls' }],
    ['strata://user/local/memories/..', undefined],
    [`strata://tool-result/${'a'.repeat(64)}`, undefined],
    ['a talk in the kitchen', undefined],
  ])('%s', (uri, place) => {
    expect(placeOfUri(uri)).toEqual(place);
  });

  it('names the owner of a page', () => {
    expect(ownerWords('strata://agent/main/memories/x')).toBe('agent main');
    expect(ownerWords('strata://resources/x')).toBe('workspace');
  });
});

describe('the text of a page', () => {
  it('keeps headings, bullets and fenced code apart', () => {
    expect(pageText('# A\n\n- b\n```\n# c\n```\nd').map((line) => line.kind)).toEqual([
      'heading',
      'blank',
      'bullet',
      'code',
      'code',
      'code',
      'text',
    ]);
  });

  it('finds names of pages in both forms', () => {
    expect(pageText('see [[Tea|the tea]] and [notes](../n.md).')[0]?.pieces).toEqual([
      { text: 'see ' },
      { text: 'the tea', target: 'Tea', form: 'wiki' },
      { text: ' and ' },
      { text: 'notes', target: '../n.md', form: 'markdown' },
      { text: '.' },
    ]);
  });

  it('loses no character of a line that it does not understand', () => {
    const line = '[[ [a]( [[b]] ](c) ]]';
    const shown = pageText(line)[0]?.pieces.map((piece) => ('target' in piece ? `[[${piece.text}]]` : piece.text));
    expect(shown?.join('')).toBe(line);
  });

  it('resolves a name that one page has, and none that two have', () => {
    const names = pageNames([user('a/tea', { title: 'Tea', aliases: ['chai'] }), user('b/tea', { title: 'Tea' })]);
    expect(resolvePageName(names, 'Chai')).toBe('strata://user/local/memories/a/tea');
    expect(resolvePageName(names, 'Tea')).toBeUndefined();
    expect(resolvePageName(names, 'coffee')).toBeUndefined();
    expect(resolvePageName(names, './memories/users/local/b/tea.md#x')).toBe('strata://user/local/memories/b/tea');
  });
});

describe('a file in a text field', () => {
  it.each(['a\nb\n', 'a\r\nb\r\n', '\ufeff---\r\nx\r\n'])(
    'comes back byte for byte when nothing is changed',
    (content) => {
      expect(fromEditorText(toEditorText(content))).toBe(content);
    },
  );

  it('tells when its lines end in different ways', () => {
    expect(toEditorText('a\r\nb\n')).toEqual({ text: 'a\nb\n', lineEnds: 'mixed' });
  });
});

describe('a long comparison', () => {
  it('keeps three lines around a change and counts the others', () => {
    const before = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    const after = before.with(10, 'other');
    const folded = foldDiff(diffLines(before.join('\n'), after.join('\n')));
    expect(folded.map((line) => (line.kind === 'folded' ? line.count : line.text))).toEqual([
      7,
      'line 7',
      'line 8',
      'line 9',
      'line 10',
      'other',
      'line 11',
      'line 12',
      'line 13',
      6,
    ]);
    expect(countChanges(diffLines('a\nb', 'a\nc\nd'))).toEqual({ removed: 1, added: 2 });
  });

  it('folds nothing where that would save no line', () => {
    expect(foldDiff(diffLines('a\nb\nc\nd\nx', 'a\nb\nc\nd\ny'))).toHaveLength(6);
  });
});

describe('tokens of a text', () => {
  it('are about four letters each, and one for each wide letter', () => {
    expect(estimateTokens('abcdefgh')).toBe(2);
    expect(estimateTokens('端口是八千')).toBe(5);
    expect(estimateTokens('')).toBe(0);
  });
});

describe('words that were looked for', () => {
  const marked = (text: string, terms: readonly string[]) =>
    markTerms(text, terms)
      .map(({ text: piece, marked: on }) => (on ? `<${piece}>` : piece))
      .join('');

  it('are marked whole, the longest first', () => {
    expect(marked('The staging proxy and its proxies', ['proxy', 'staging proxy'])).toBe(
      'The <staging proxy> and its proxies',
    );
  });

  it('are not found inside of other words', () => {
    expect(marked('report', ['port'])).toBe('report');
  });

  it('are found in Chinese', () => {
    expect(marked('端口是 8443', ['端口'])).toBe('<端口>是 8443');
  });

  it('are brought into view', () => {
    expect(marked(`${'far '.repeat(200)}needle here`, ['needle'])).toMatch(/^… .*<needle> here$/);
  });
});
