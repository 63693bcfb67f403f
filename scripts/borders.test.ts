import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '..');

/** File that breaks a border → the rule that must see it. Targets exist, so that the import really resolves. */
const violations: readonly (readonly [file: string, source: string, rule: string])[] = [
  ['src-shared/a.ts', `import { x } from '../src-main/engine/target.ts';\nx();\n`, 'shared-is-contracts-only'],
  ['src-shared/b.ts', `import { join } from 'node:path';\njoin('a');\n`, 'shared-is-contracts-only'],
  [
    'src-shared/c.ts',
    `import type { x } from '../src-renderer/target.ts';\nexport type X = typeof x;\n`,
    'shared-is-contracts-only',
  ],
  ['src-main/engine/a.ts', `import { x } from '../store/target.ts';\nx();\n`, 'engine-is-pure'],
  [
    'src-main/engine/b.ts',
    `import type { x } from '../store/target.ts';\nexport type X = typeof x;\n`,
    'engine-is-pure',
  ],
  ['src-main/engine/c.ts', `import { request } from 'node:http';\nrequest('');\n`, 'engine-is-pure'],
  ['src-main/engine/d.ts', `import { Hono } from 'hono';\nnew Hono();\n`, 'engine-is-pure'],
  ['src-main/engine/e.ts', `import { x } from '../http/target.ts';\nx();\n`, 'engine-is-pure'],
  ['src-main/engine/f.ts', `import { x } from '../host.ts';\nx();\n`, 'engine-is-pure'],
  ['src-main/engine/g.ts', `import Database from 'better-sqlite3';\nnew Database('');\n`, 'only-store-speaks-sql'],
  ['src-main/http/a.ts', `import Database from 'better-sqlite3';\nnew Database('');\n`, 'only-store-speaks-sql'],
  ['src-main/http/b.ts', `import { x } from '../desktop/target.ts';\nx();\n`, 'doors-do-not-import-each-other'],
  ['src-main/http/c.ts', `import { x } from '../host.ts';\nx();\n`, 'nobody-imports-upwards'],
  ['src-main/http/d.ts', `import { app } from 'electron';\napp.quit();\n`, 'only-desktop-imports-electron'],
  ['src-main/cli/a.ts', `const { app } = await import('electron');\napp.quit();\n`, 'only-desktop-imports-electron'],
  ['src-main/cli/b.ts', `import { x } from '../http/target.ts';\nx();\n`, 'doors-do-not-import-each-other'],
  ['src-main/store/a.ts', `import { x } from '../engine/target.ts';\nx();\n`, 'store-knows-no-door'],
  ['src-main/store/b.ts', `import { x } from '../http/target.ts';\nx();\n`, 'store-knows-no-door'],
  ['src-renderer/a.ts', `import { x } from '../src-main/engine/target.ts';\nx();\n`, 'renderer-sees-contracts-only'],
  ['src-renderer/b.ts', `import { readFileSync } from 'node:fs';\nreadFileSync('');\n`, 'renderer-imports-no-node'],
  ['src-plugin/a.ts', `import { x } from '../src-main/engine/target.ts';\nx();\n`, 'plugin-sees-contracts-and-node'],
  ['src-plugin/b.ts', `import { Hono } from 'hono';\nnew Hono();\n`, 'plugin-sees-contracts-and-node'],
  ['src-main/http/e.ts', `import { x } from './missing.ts';\nx();\n`, 'resolvable'],
  ['src-main/http/f.ts', `import { y } from './g.ts';\nexport const z = () => y;\n`, 'no-cycles'],
  ['src-main/http/h.ts', `import { x } from './target.test.ts';\nx();\n`, 'product-does-not-import-tests'],
  [
    'src-main/http/i.ts',
    `import { parse } from 'acorn';\nparse('', { ecmaVersion: 2024 });\n`,
    'declared-packages-only',
  ],
];

/** Imports that the borders allow. */
const allowed: readonly (readonly [file: string, source: string])[] = [
  ['src-main/http/g.ts', `import { z } from './f.ts';\nexport const y = () => z;\n`], // a cycle is reported once
  ['src-main/engine/target.ts', `export const x = () => 1;\n`],
  ['src-main/engine/ports/port.ts', `export interface Port {\n  x: 1;\n}\n`],
  ['src-main/http/target.ts', `import { x as y } from '../engine/target.ts';\nexport const x = y;\n`],
  ['src-main/http/client/daemon-client.ts', `export const x = 1;\n`],
  ['src-main/http/target.test.ts', `import { x as y } from '../store/target.ts';\nexport const x = y;\n`],
  ['src-main/cli/ok.ts', `import { x } from '../http/client/daemon-client.ts';\nexport const y = x;\n`],
  ['src-main/desktop/target.ts', `import { app } from 'electron';\nexport const x = () => app;\n`],
  ['src-main/host.ts', `import { x as y } from './store/target.ts';\nexport const x = y;\n`],
  ['src-main/main.ts', `import { app } from 'electron';\napp.quit();\n`],
  [
    'src-main/store/target.ts',
    `import Database from 'better-sqlite3';\nimport type { Port } from '../engine/ports/port.ts';\nexport const x = (p: Port) => new Database(String(p.x));\n`,
  ],
  ['src-renderer/target.ts', `import { create } from 'zustand';\nexport const x = create;\n`],
  ['src-plugin/ok.ts', `import { z } from 'zod';\nimport { join } from 'node:path';\nexport const x = [z, join];\n`],
];

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

describe('the borders of the house', () => {
  let dir = '';
  let found: readonly Violation[] = [];

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'strata-borders-'));
    for (const name of ['.dependency-cruiser.cjs', 'package.json', 'tsconfig.base.json', 'tsconfig.main.json']) {
      await cp(join(root, name), join(dir, name));
    }
    await symlink(join(root, 'node_modules'), join(dir, 'node_modules'));
    for (const [file, source] of [...violations, ...allowed]) {
      await mkdir(dirname(join(dir, file)), { recursive: true });
      await writeFile(join(dir, file), source);
    }
    const args = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json'];
    const folders = ['src-shared', 'src-main', 'src-renderer', 'src-plugin'];
    const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
    const { stdout } = await run(process.execPath, [program, ...args, ...folders], {
      cwd: dir,
      maxBuffer: 50_000_000,
    });
    found = (JSON.parse(stdout) as { summary: { violations: readonly Violation[] } }).summary.violations;
  }, 60_000);

  afterAll(() => rm(dir, { recursive: true, force: true }));

  it.each(violations)('%s is refused', (file, _source, rule) => {
    expect(found.filter((violation) => violation.from === file).map((violation) => violation.rule.name)).toContain(
      rule,
    );
  });

  it.each(allowed)('%s is allowed', (file) => {
    expect(found.filter((violation) => violation.from === file)).toEqual([]);
  });
});
