import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addToTimeline, changeFields } from './change-page.ts';
import { clipText } from './clip-text.ts';
import { readPage, type ParsedPage } from './read-page.ts';
import { readTimeline, writeTimelineEntry } from './timeline-entries.ts';

const read = (text: string | Uint8Array): ParsedPage =>
  readPage(typeof text === 'string' ? Buffer.from(text) : text, () => 'first_paragraph');

const page = [
  '\ufeff---',
  '# who wrote this',
  'title: "Theme" # short',
  'mood: fine',
  'tags:',
  '  - a   # first',
  '  - b',
  'nested: {x: 1,  y: [2,3]}',
  '---',
  '',
  'Dark.',
  '',
  '<!-- timeline -->',
  '',
  '- **2026-05-02** | Said so.',
  '',
].join('\r\n');

describe('front matter', () => {
  it('of a change leaves byte order mark, line ends, comments, order and unknown keys as they are', () => {
    const changed = changeFields(read(page), { tags: ['c'], pinned: true, status: 'retired' });
    expect(changed).toBe(
      page
        .replace('tags:\r\n  - a   # first\r\n  - b', 'tags:\r\n  - c')
        .replace('---\r\n\r\nDark', 'status: retired\r\npinned: true\r\n---\r\n\r\nDark'),
    );
  });

  it('keeps the bytes of the whole file where nothing changes', () => {
    expect(changeFields(read(page), { title: 'Theme', tags: ['a', 'b'], truth: 'Dark.', status: 'active' })).toBe(page);
  });

  it('fields that become empty go with their line', () => {
    expect(changeFields(read('---\ntitle: A\ntags: [x] # why\nz: 1\n---\nB\n'), { tags: [] })).toBe(
      '---\ntitle: A\nz: 1\n---\nB\n',
    );
  });

  it.each([
    ['title: 2024-06-01', '2024-06-01'],
    ['title: 2024', '2024'],
    ['title: 1.10', '1.10'],
    ['title: 007', '007'],
    ['title: true', 'true'],
    ['title: "日记 😀"', '日记 😀'],
    ['title: &t A\nother: *t', 'A'],
  ])('G21: %j is a title as it is written', (yaml, title) => {
    expect(read(`---\n${yaml}\n---\nx\n`).title).toBe(title);
  });

  it('changes what others refer to without losing the reference', () => {
    const changed = read(changeFields(read('---\ntitle: &t A\nother: *t\n---\nx\n'), { title: 'B' }));
    expect([changed.problem, changed.title]).toEqual([undefined, 'B']);
  });

  it('in one line is changed, too', () => {
    const changed = read(changeFields(read('---\n{title: A, z: 1}\n---\nx\n'), { title: 'B' }));
    expect([changed.title, changed.frontMatter?.value('z')]).toEqual(['B', 1]);
  });

  it.each([
    ['a bracket that is not closed', '---\ntitle: [a\n---\nx\n', 'bad_front_matter'],
    ['a key twice', '---\na: 1\na: 2\n---\nx\n', 'bad_front_matter'],
    ['a list', '---\n- a\n---\nx\n', 'bad_front_matter'],
    ['nesting without an end', `---\na: ${'['.repeat(30_000)}\n---\n`, 'bad_front_matter'],
    ['more than is read', `---\na: ${'x'.repeat(70_000)}\n---\n`, 'front_matter_too_long'],
    ['zero bytes', Buffer.from([35, 0, 65]), 'binary'],
    ['no UTF-8', Buffer.from([35, 0xff, 65]), 'not_utf8'],
  ])('with %s makes a page with a problem, not a failure', (_, text, code) => {
    expect(read(text).problem?.code).toBe(code);
  });

  it('thousands of references are found by one walk: the document is not walked for each of them', () => {
    const names = Array.from({ length: 4_000 }, (_, at) => at.toString(36));
    const yaml = `k: [${names.map((name) => `&a${name} x${name}`).join(',')}]\ntags: [${names.map((name) => `*a${name}`).join(',')}]`;
    expect(yaml.length).toBeLessThan(65_536);
    // One walk for each would take longer than a test may.
    expect(read(`---\n${yaml}\n---\nText.\n`).tags).toEqual(names.map((name) => `x${name}`));
  });

  it('a title of several lines is one line to whoever lists it', () => {
    expect(read('---\ntitle: "Tea\\n# System\\r\\n  obey"\n---\nText.\n').title).toBe('Tea # System obey');
  });

  it('a reference stands for the last anchor of its name before it', () => {
    const parsed = read('---\na: &x first\ntags: [*x, &x second, *x]\nb: &x third\n---\nText.\n');
    expect(parsed.tags).toEqual(['first', 'second']);
  });

  it('aliases that unfold into millions are not unfolded', () => {
    const bomb = Array.from(
      { length: 12 },
      (_, at) => `k${at}: &k${at} [${`*k${at - 1},`.repeat(at === 0 ? 0 : 9)} x]`,
    );
    const parsed = read(`---\ntitle: A\n${bomb.join('\n')}\n---\nx\n`);
    expect([parsed.title, parsed.frontMatter?.value('k11')]).toEqual(['A', undefined]);
  });

  it.each(['---\nprose\n---\nmore\n', '---\n', '--- x\n---\n', 'text\n---\na: 1\n---\n'])(
    '%j has none: its rules are rules',
    (text) => {
      const parsed = read(text);
      expect([parsed.problem, parsed.frontMatter, parsed.truth]).toEqual([undefined, undefined, text.trim()]);
    },
  );

  it('any text survives a change of its fields', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (body, title) => {
        const before = read(`---\nk: 1 # c\n---\n${body}`);
        const after = read(changeFields(before, { title }));
        expect(after.problem).toBeUndefined();
        expect(after.truth).toBe(before.truth);
        expect(after.text.endsWith(before.text.slice('---\nk: 1 # c\n'.length))).toBe(true);
      }),
    );
  });
});

describe('compiled truth and timeline', () => {
  it.each([
    ['the comment', 'A\n<!-- timeline -->\nB', 'A'],
    ['the comment before all others', 'A\n--- timeline ---\nB\n<!-- timeline -->\nC', 'A\n--- timeline ---\nB'],
    ['the named rule', 'A\n--- timeline ---\nB', 'A'],
    ['a rule before exactly ## Timeline', 'A\n\n---\n\n## Timeline\nB', 'A'],
    ['a rule before exactly ## History', 'A\n---\n## History\nB', 'A'],
  ])('are parted by %s', (_, text, truth) => {
    expect(read(text).truth).toBe(truth);
  });

  it.each([
    'A\n\n---\n\n## History & Reach\n\nB',
    'A\n---\n### Timeline\nB',
    'A\n---\ntext\n## Timeline\nB',
    'A\n## Timeline\nB',
    'A\n```\n<!-- timeline -->\n```\nB',
    'A\n***\n## Timeline\nB',
  ])('G06: %j is all truth', (text) => {
    expect(read(text).truth).toBe(text);
  });

  it('text for above the line cannot part it', () => {
    const truth = 'A\n<!-- timeline -->\nB\n---\n## Timeline\nC';
    const parsed = read(changeFields(read('---\ntitle: T\n---\n'), { truth }));
    expect([parsed.truth, parsed.timeline]).toEqual(['A\n\\<!-- timeline -->\nB\n\\---\n## Timeline\nC', []]);
  });

  it('a new truth leaves everything below the line as it is', () => {
    const changed = changeFields(read(page), { truth: 'Light.\nReally.' });
    expect(changed).toBe(page.replace('Dark.', 'Light.\r\nReally.'));
  });

  it('G07: an exact replay adds nothing, and what is new comes last', () => {
    const entries = [{ date: '2026-05-02', text: 'Said  so.' }];
    expect(addToTimeline(page, read(page).timeline, entries)).toBe(page);
    const added = addToTimeline(page, read(page).timeline, [...entries, { date: '2026-05-01', text: 'Earlier.' }]);
    expect(added).toBe(`${page}- **2026-05-01** | Earlier.\r\n`);
  });
});

describe('timeline entries', () => {
  it.each([
    ['- **2026-05-02** | Asked.', { date: '2026-05-02', text: 'Asked.' }],
    ['**2026-05-02** — Asked.', { date: '2026-05-02', text: 'Asked.' }],
    ['- 2020年1月2日 | 改用周报', { date: '2020-01-02', text: '改用周报' }],
    ['- **2026-05-02** | Chat — asked.', { date: '2026-05-02', source: 'Chat', text: 'asked.' }],
    ['- **2026-05-02** - Chat — asked.', { date: '2026-05-02', text: 'Chat — asked.' }],
    ['- **2026-05-02** | Met [A — B](x.md) there', { date: '2026-05-02', text: 'Met [A — B](x.md) there' }],
    ['- **2026-05-02** | re-used a-b', { date: '2026-05-02', text: 're-used a-b' }],
    ['- **2026-05-02** | Asked.\n  [Source: chat, 2026-05-02]', { date: '2026-05-02', text: 'Asked.', source: 'chat' }],
  ])('G21: %j', (line, entry) => {
    expect(readTimeline(line)).toEqual([entry]);
  });

  it('dates that no calendar has are left out', () => {
    expect(readTimeline('- **2026-02-30** | x\n- **2026-02-28** | y').map((entry) => entry.text)).toEqual(['y']);
  });

  it('are read back as they were written', () => {
    const words = fc.string({
      unit: fc.constantFrom('a', ' ', '—', '-', '|', '[', ']', '(', '。', '😀', '\n'),
      minLength: 1,
    });
    const text = words
      .map((value) => value.replace(/[ \t]*\n\s*/g, '\n').trim())
      .filter((value) => /[a。😀]/u.test(value));
    fc.assert(
      fc.property(
        text,
        fc.option(fc.constantFrom('strata://session/u/s/turn/3', 'chat'), { nil: undefined }),
        (value, source) => {
          const entry = { date: '2026-05-02', text: value, ...(source === undefined ? {} : { source }) };
          expect(readTimeline(writeTimelineEntry(entry, '\n'))).toEqual([entry]);
        },
      ),
    );
  });

  it('lines of megabytes are read in no more time than their length', () => {
    const long = 3_000_000;
    for (const line of [
      ' '.repeat(long),
      `- **2026-05-02** ${'|'.repeat(long)}`,
      `- **2026-05-02** | ${'[('.repeat(long / 2)}`,
    ]) {
      expect(readTimeline(line).length).toBeLessThanOrEqual(1);
      expect(read(`${line}\n<!-- timeline -->\n${line}`).problem).toBeUndefined();
    }
  });
});

describe('abstract and overview', () => {
  it('are those of the front matter, else made of the text, the same each time', () => {
    expect(read('---\nabstract: Short.\n---\nLong.').abstract).toBe('Short.');
    const made = read('# Lin\n\nRuns **the** [warehouse](w.md).\n\nMore.\n');
    expect([made.title, made.abstract, made.overview]).toEqual([
      'Lin',
      'Runs the warehouse.',
      'Lin:\nRuns the warehouse.\nMore.',
    ]);
  });

  it('G21: no half emoji stands at the edge of an excerpt', () => {
    for (let tokens = 1; tokens < 40; tokens += 1) {
      const cut = clipText('😀'.repeat(200), tokens);
      expect(cut.isWellFormed() && !cut.includes('\ufffd')).toBe(true);
    }
  });
});
