import { chmod, chown, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openEngineFixture } from '../../testing/engine-fixture.ts';

/** Somebody whom modes of files bind: root writes everywhere. */
const nobody = 65_534;

it('a workspace that can only be read is read and searched, an alarm says so, and a write is refused with the reason', async () => {
  const fixture = await openEngineFixture();
  const root = join(fixture.dataDir, 'workspace');
  const { keeper } = fixture.engine.memory;
  await keeper.settled();
  await writeFile(join(root, 'note.md'), 'The gate code is on the fridge.\n');
  await mkdir(join(root, '.strata', 'locks'), { recursive: true });
  await chmod(join(root, '.strata', 'locks'), 0o500);
  await chmod(root, 0o500);
  onTestFinished(async () => {
    await chmod(root, 0o700);
  });
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    await giveAway(fixture.dataDir);
    process.seteuid?.(nobody);
  }
  try {
    await keeper.scan();
    expect((await fixture.send('page', { params: { uri: 'strata://resources/note' } })).version).toBe(1);
    const write = fixture.send('savePage', { params: { uri: 'strata://resources/new' }, body: { truth: 'x' } });
    await expect(write).rejects.toMatchObject({
      code: 'workspace_blocked',
      details: { system_code: 'EACCES' },
      message: expect.stringContaining('permission denied'),
    });
    const { alarms } = await fixture.send('health', {});
    expect(alarms).toContainEqual(
      expect.objectContaining({ code: 'workspace_failing', message: expect.stringContaining('permission denied') }),
    );
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
  await chmod(join(root, '.strata', 'locks'), 0o700);
  await chmod(root, 0o700);
  await keeper.scan();
  expect((await fixture.send('health', {})).alarms.map(({ code }) => code)).not.toContain('workspace_failing');
  await fixture.send('savePage', { params: { uri: 'strata://resources/new' }, body: { truth: 'x' } });
  expect(await readdir(root)).toContain('new.md');
});

async function giveAway(directory: string): Promise<void> {
  await chown(directory, nobody, nobody);
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    await chown(join(entry.parentPath, entry.name), nobody, nobody);
  }
}
