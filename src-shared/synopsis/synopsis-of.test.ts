import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { synopsisOf } from './synopsis-of.ts';

const of = (text: string, maxCharacters = 2_000) => synopsisOf(text, { maxCharacters });
const lines = (count: number, line: (index: number) => string) => Array.from({ length: count }, (_, at) => line(at));

describe('the synopsis of', () => {
  it('JSON shows keys, types, counts, and the first and last item of a list', () => {
    const users = lines(1_200, (at) => `{"id":${at},"name":"User ${at}"${at % 2 ? ',"mail":null' : ''}}`);
    expect(of(`{"users":[${users.join(',')}],"next":"abc","total":1200,"empty":[]}`)).toMatchInlineSnapshot(`
      {
        "kind": "json",
        "text": "JSON: object with 4 keys
      - users: list of 1200 items (object)
          fields: id number, name string, mail null in 600 of 1200
          first: {"id":0,"name":"User 0"}
          last: {"id":1199,"name":"User 1199","mail":null}
      - next: string "abc"
      - total: number 1200
      - empty: empty list",
      }
    `);
  });

  it('JSON lines is that of their list', () => {
    expect(of(lines(400, (at) => `{"at":${at},"ok":${at !== 7}}`).join('\n'))).toMatchInlineSnapshot(`
      {
        "kind": "json",
        "text": "JSON, one value per line: list of 400 items (object)
        fields: at number, ok boolean
        first: {"at":0,"ok":true}
        last: {"at":399,"ok":true}",
      }
    `);
  });

  it('a table shows columns with their kinds, the number of rows, first and last rows', () => {
    const rows = lines(900, (at) => `${at},"Doe, ${at}",2026-01-0${(at % 9) + 1},${at % 3 ? '' : '1.5'}`);
    expect(of(['id,name,born,score', ...rows].join('\n'))).toMatchInlineSnapshot(`
      {
        "kind": "table",
        "text": "Comma-separated table: 900 rows, 4 columns
      columns: id (number), name (text), born (date), score (number, some empty)
      first rows:
        0,"Doe, 0",2026-01-01,1.5
        1,"Doe, 1",2026-01-02,
        2,"Doe, 2",2026-01-03,
      last rows:
        897,"Doe, 897",2026-01-07,1.5
        898,"Doe, 898",2026-01-08,
        899,"Doe, 899",2026-01-09,",
      }
    `);
    expect(of(['a\tb', ...lines(50, (at) => `${at}\tx`)].join('\n'))).toMatchInlineSnapshot(`
      {
        "kind": "table",
        "text": "Tab-separated table: 50 rows, 2 columns
      columns: a (number), b (text)
      first rows:
        0 x
        1 x
        2 x
      last rows:
        47 x
        48 x
        49 x",
      }
    `);
  });

  it('a log shows levels, first and last lines, and each error once', () => {
    const log = lines(2_000, (at) => {
      const level = at % 500 === 7 ? 'ERROR' : at % 100 === 3 ? 'WARN' : 'INFO';
      const what = level === 'ERROR' ? `connect to 10.0.0.${at % 9} refused after ${at} ms` : `request ${at} served`;
      return `2026-11-02T09:00:${String(at % 60).padStart(2, '0')}Z ${level} ${what}`;
    });
    log.push('2026-11-02T10:00:00Z FATAL out of memory');
    expect(of(log.join('\n'))).toMatchInlineSnapshot(`
      {
        "kind": "log",
        "text": "Log: 2001 lines; INFO 1976, WARNING 20, ERROR 4, FATAL 1
      first lines:
        2026-11-02T09:00:00Z INFO request 0 served
        2026-11-02T09:00:01Z INFO request 1 served
        2026-11-02T09:00:02Z INFO request 2 served
      last lines:
        2026-11-02T09:00:18Z INFO request 1998 served
        2026-11-02T09:00:19Z INFO request 1999 served
        2026-11-02T10:00:00Z FATAL out of memory
      errors, 2 different:
        line 8 (× 4): 2026-11-02T09:00:07Z ERROR connect to 10.0.0.7 refused after 7 ms
        line 2001: 2026-11-02T10:00:00Z FATAL out of memory",
      }
    `);
  });

  it('a diff shows files with what was added and removed, and where', () => {
    const change = (name: string) =>
      `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1,3 +1,4 @@ function one() {\n same\n--- removed comment\n+new\n+newer\n same\n`;
    const added = '--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1,2 @@\n+a\n+b\n';
    expect(of(change('src/a.ts') + change('src/b.ts') + added)).toMatchInlineSnapshot(`
      {
        "kind": "diff",
        "text": "Diff: 3 files, +6 −2 lines, 3 hunks
        src/a.ts  +2 −1  at line 1 function one() {
        src/b.ts  +2 −1  at line 1 function one() {
        new.ts (new)  +2 −0  at line 1",
      }
    `);
  });

  it('code shows its language, imports and signatures with line numbers', () => {
    const typescript = [
      "import { z } from 'zod';",
      "import type { A } from './a.ts';",
      '',
      'export interface Thing {',
      '  readonly name: string;',
      '}',
      ...lines(40, (at) => `export function make${at}(name: string): Thing {\n  return { name };\n}`),
    ].join('\n');
    expect(of(typescript, 700)).toMatchInlineSnapshot(`
      {
        "kind": "code",
        "text": "Code, TypeScript or JavaScript: 126 lines, 41 definitions
      imports: zod, ./a.ts
      definitions, by line:
        4: export interface Thing
        7: export function make0(name: string): Thing
        10: export function make1(name: string): Thing
        13: export function make2(name: string): Thing
        16: export function make3(name: string): Thing
        19: export function make4(name: string): Thing
        22: export function make5(name: string): Thing
        25: export function make6(name: string): Thing
        28: export function make7(name: string): Thing
        31: export function make8(name: string): Thing
        34: export function make9(name: string): Thing
      … 30 more lines of this synopsis",
      }
    `);
    const python = [
      'import os',
      'from pathlib import Path',
      ...lines(30, (at) => `def load_${at}(path: Path) -> str:\n    return os.fspath(path)\n`),
      'class Loader(Base):',
    ].join('\n');
    const numbered = python.split('\n').map((line, at) => `${String(at + 1).padStart(6)}\t${line}`);
    expect(of(numbered.join('\n'), 400)).toMatchInlineSnapshot(`
      {
        "kind": "code",
        "text": "Code, Python: 93 lines, 31 definitions
      imports: os, pathlib import Path
      definitions, by line:
        3: def load_0(path: Path) -> str:
        6: def load_1(path: Path) -> str:
        9: def load_2(path: Path) -> str:
        12: def load_3(path: Path) -> str:
        15: def load_4(path: Path) -> str:
        18: def load_5(path: Path) -> str:
        21: def load_6(path: Path) -> str:
      … 24 more lines of this synopsis",
      }
    `);
  });

  it('any other text is its head and its tail', () => {
    const text = `It began well. ${'Then a lot happened. '.repeat(900)}It ended well.`;
    expect(of(text, 400)).toMatchInlineSnapshot(`
      {
        "kind": "plain",
        "text": "Text: 18929 characters, 1 lines
      It began well. Then a lot happened. Then a lot happened. Then a lot happened. Then a lot happened. Then a lot happened. Then a lot happened. Then a lot happened. Then a lot
      [… about 18640 characters left out …]
      a lot happened. Then a lot happened. Then a lot happened. Then a lot happened. Then a lot happened. It ended well.",
      }
    `);
  });
});

describe('kinds are not seen where they are not', () => {
  it.each([
    ['plain', 'Dear all,\nthis is, as ever, a letter, with commas.\n'.repeat(300)],
    ['plain', '[not json\n'.repeat(300)],
    ['plain', '{"cut": [1, 2, 3'.padEnd(20_000, '4')],
    ['plain', '会议记录:数据库设计评审,性能优先。\n'.repeat(500)],
    ['plain', '- item one\n+ item two\n@@ note\n'.repeat(200)],
    ['plain', 'import duties rose; the class of 2026 (all of it) returned.\n'.repeat(200)],
  ])('%s', (kind, text) => {
    expect(of(text).kind).toBe(kind);
  });
});

describe('whatever a text holds', () => {
  it('the synopsis is short, well-formed, free of control characters, and the same every time', () => {
    const odd = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2_000 }),
      fc.json(),
      fc
        .array(
          fc.constantFrom('a,b,c', '1\t2', '"', '\r\n', '\u0000', '\ud83d', '\u001b[31m', '{"a":1}', '😀', '中文'),
          {
            maxLength: 400,
          },
        )
        .map((parts) => parts.join('\n')),
    );
    fc.assert(
      fc.property(odd, fc.integer({ min: 200, max: 3_000 }), (text, max) => {
        const { text: made } = of(text, max);
        expect(made.length).toBeLessThanOrEqual(max);
        expect(made.isWellFormed()).toBe(true);
        expect(/[\u0000-\u0008\u000b-\u001f\u007f]/.test(made)).toBe(false);
        expect(of(text, max).text).toBe(made);
      }),
    );
  });

  it('a cut never halves an emoji', () => {
    for (let max = 200; max < 260; max += 1) {
      expect(of('😀'.repeat(5_000), max).text.isWellFormed()).toBe(true);
      expect(of(`x${'😀'.repeat(5_000)}`, max).text).not.toContain('\ufffd');
    }
  });

  // Each would take minutes if any step were worse than linear.
  it.each([
    ['one line', 'x'.repeat(10_000_000)],
    ['empty lines', '\n'.repeat(10_000_000)],
    ['quotes', '"'.repeat(10_000_000)],
    ['commas', ',,,\n'.repeat(2_500_000)],
    ['open brackets', '['.repeat(10_000_000)],
    ['spaces', ' '.repeat(10_000_000)],
    ['an unclosed quote in a table', `a,b,c\n1,2,3\n1,2,3\n1,2,3\n${'1,2,3\n'.repeat(40)}"${'x,\n'.repeat(2_000_000)}`],
    ['log lines', '2026-11-02T09:00:00Z ERROR no\n'.repeat(300_000)],
    ['a list of numbers', `[${'1,'.repeat(4_000_000)}1]`],
  ])('ten million characters of %s', (_, text) => {
    expect(of(text).text.length).toBeLessThanOrEqual(2_000);
  });
});
