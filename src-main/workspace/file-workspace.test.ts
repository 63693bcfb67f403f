import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FileWorkspace } from './file-workspace.ts';
import { withLockFile } from './lock-file.ts';

async function temporary(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'strata-workspace-'));
  onTestFinished(async () => rm(root, { recursive: true, force: true }));
  return root;
}

async function open(root?: string): Promise<FileWorkspace> {
  const workspace = new FileWorkspace({ root: root ?? (await temporary()), largestFile: 1_000, debounceMs: 20 });
  await workspace.prepare();
  return workspace;
}

async function paths(workspace: FileWorkspace): Promise<string[]> {
  const found: string[] = [];
  for await (const batch of workspace.list(() => undefined)) found.push(...batch);
  return found;
}

const bytes = (content: string): Buffer => Buffer.from(content);

describe('FileWorkspace', () => {
  it('two processes that edit the same page 1,000 times lose no edit', { timeout: 240_000 }, async () => {
    const root = await temporary();
    const script = join(import.meta.dirname, 'testing', 'edit-in-a-loop.ts');
    const run = async (name: string): Promise<string> => {
      const child = spawn(process.execPath, [script, root, 'page.md', name, '500'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      return text(child.stdout);
    };
    const conflicts = await Promise.all([run('a'), run('b')]);
    const lines = (await readFile(join(root, 'page.md'), 'utf8')).trimEnd().split('\n');
    for (const name of ['a', 'b']) {
      const own = lines.filter((line) => line.startsWith(`${name} `));
      expect(own).toEqual(Array.from({ length: 500 }, (_, at) => `${name} ${at}`));
    }
    expect(lines).toHaveLength(1_000);
    expect(conflicts.map(Number).some((count) => count > 0)).toBe(true);
  });

  it('a file that is another one than expected is left as it is', async () => {
    const workspace = await open();
    expect(await workspace.write('a.md', bytes('one'), null)).toEqual({ status: 'written' });
    const { hash = '' } = (await workspace.read('a.md')) ?? {};
    expect(await workspace.write('a.md', bytes('two'), null)).toEqual({ status: 'conflict', hash });
    await writeFile(join(workspace.root, 'a.md'), 'three');
    expect(await workspace.write('a.md', bytes('two'), hash)).toMatchObject({ status: 'conflict' });
    expect(await readFile(join(workspace.root, 'a.md'), 'utf8')).toBe('three');
  });

  it('a file that is replaced keeps its mode, and nothing else is left beside it', async () => {
    const workspace = await open();
    await writeFile(join(workspace.root, 'a.md'), 'one');
    await chmod(join(workspace.root, 'a.md'), 0o664);
    const file = await workspace.read('a.md');
    await workspace.write('a.md', bytes('two'), file?.hash ?? '');
    expect((await stat(join(workspace.root, 'a.md'))).mode & 0o777).toBe(0o664);
    expect((await readdir(workspace.root)).filter((name) => name !== '.strata')).toEqual(['a.md']);
  });

  it('what an interrupted write left behind is removed at the start, a write that runs is not', async () => {
    const root = await temporary();
    const [old, young] = ['.strata-0123456789abcdef.tmp', '.strata-fedcba9876543210.tmp'];
    for (const name of [old, young]) await writeFile(join(root, name), 'half');
    await utimes(join(root, old), 1, 1);
    await open(root);
    expect(await readdir(root)).toEqual([young]);
  });

  it.each(['../a.md', 'a/../../b.md', '/etc/a.md', '.hidden/a.md', 'a//b.md', 'node_modules/a.md', 'a.txt', ''])(
    'nothing is read or written under %j',
    async (path) => {
      const workspace = await open();
      expect(await workspace.read(path)).toBeUndefined();
      await expect(workspace.write(path, bytes('x'), null)).rejects.toMatchObject({ code: 'invalid_request' });
    },
  );

  it('symbolic links lead nowhere: not files, not folders', async () => {
    const workspace = await open();
    const outside = await temporary();
    await writeFile(join(outside, 'secret.md'), 'secret');
    await symlink(outside, join(workspace.root, 'folder'));
    await symlink(join(outside, 'secret.md'), join(workspace.root, 'file.md'));
    for (const path of ['folder/secret.md', 'file.md']) {
      expect(await workspace.read(path)).toBeUndefined();
      await expect(workspace.write(path, bytes('x'), null)).rejects.toMatchObject({ code: 'invalid_request' });
    }
    expect(await paths(workspace)).toEqual([]);
    expect(await readFile(join(outside, 'secret.md'), 'utf8')).toBe('secret');
  });

  it('G12: no name of a folder is special but hidden ones and node_modules', async () => {
    const workspace = await open();
    const names = ['ops', 'archive', 'tmp', 'private', '日记', 'a b', 'test', 'users'];
    for (const name of [...names, '.git', 'node_modules']) {
      await mkdir(join(workspace.root, name));
      await writeFile(join(workspace.root, name, 'x.md'), 'x');
    }
    expect(await paths(workspace)).toEqual(names.map((name) => `${name}/x.md`).sort());
  });

  it('files that are no regular files, or too large, are told as such', async () => {
    const workspace = await open();
    await mkdir(join(workspace.root, 'folder.md'));
    await writeFile(join(workspace.root, 'large.md'), 'x'.repeat(1_001));
    expect(await workspace.read('folder.md')).toBeUndefined();
    expect(await workspace.read('large.md')).toMatchObject({ bytes: undefined, size: 1_001 });
  });

  it('a workspace that is a file is told as workspace_blocked', async () => {
    const root = join(await temporary(), 'file');
    await writeFile(root, '');
    await expect(open(root)).rejects.toMatchObject({ code: 'workspace_blocked' });
  });

  it('changes by whomever are hinted at, many of them one by one, and a folder that goes as one', async () => {
    const workspace = await open();
    const hinted = new Set<string>();
    const stop = await workspace.watch(
      (hint) => hinted.add('folder' in hint ? `${hint.folder}/` : hint.path),
      (error) => expect.unreachable(String(error)),
    );
    onTestFinished(stop);
    await writeFile(join(workspace.root, 'a.md'), 'a');
    await writeFile(join(workspace.root, 'b.txt'), 'b');
    await expect.poll(() => [...hinted], { timeout: 10_000 }).toEqual(['a.md']);
    await mkdir(join(workspace.root, 'many'));
    for (let at = 0; at < 1_500; at += 1) await writeFile(join(workspace.root, 'many', `n${at}.md`), 'n');
    await expect.poll(() => hinted.size, { timeout: 30_000 }).toBe(1_501);
    await rm(join(workspace.root, 'many'), { recursive: true });
    await expect.poll(() => hinted.has('many/'), { timeout: 30_000 }).toBe(true);
  });

  it('a file that was left alone for two seconds has a stamp, which every change of it changes', async () => {
    const workspace = await open();
    const file = join(workspace.root, 'a.md');
    await writeFile(file, 'a');
    expect((await workspace.read('a.md'))?.stamp).toBeUndefined();
    await expect.poll(async () => (await workspace.read('a.md'))?.stamp, { timeout: 10_000 }).toBeDefined();
    const stamp = (await workspace.read('a.md'))?.stamp;
    expect(await workspace.stamps(['a.md', 'b.md'])).toEqual(new Map([['a.md', stamp]]));
    const { atime, mtime } = await stat(file);
    await writeFile(file, 'b');
    await utimes(file, atime, mtime);
    expect((await workspace.stamps(['a.md'])).get('a.md')).not.toBe(stamp);
  });
});

describe('withLockFile', () => {
  it('takes over the lock of a process that is gone, and waits for one that lives', async () => {
    const file = join(await temporary(), 'x.lock');
    const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
    await new Promise((resolve) => child.once('exit', resolve));
    const { hostname } = await import('node:os');
    await writeFile(file, JSON.stringify({ pid: child.pid, host: hostname(), born: '', nonce: 'gone' }));
    expect(await withLockFile(file, 1_000, async () => 'held')).toBe('held');
    await writeFile(file, JSON.stringify({ pid: process.ppid, host: hostname(), born: '', nonce: 'alive' }));
    await expect(withLockFile(file, 50, async () => 'held')).rejects.toMatchObject({ code: 'workspace_blocked' });
    expect(JSON.parse(await readFile(file, 'utf8')).nonce).toBe('alive');
  });

  it('G13: takes over what an earlier process with our own id left, never what this one holds', async () => {
    const file = join(await temporary(), 'x.lock');
    await withLockFile(file, 1_000, async () => {
      await expect(withLockFile(file, 50, async () => 'twice')).rejects.toMatchObject({ code: 'workspace_blocked' });
    });
    const { hostname } = await import('node:os');
    await writeFile(file, JSON.stringify({ pid: process.pid, host: hostname(), born: 'earlier', nonce: 'old' }));
    expect(await withLockFile(file, 1_000, async () => 'held')).toBe('held');
    expect(await readdir(join(file, '..'))).toEqual([]);
  });
});
