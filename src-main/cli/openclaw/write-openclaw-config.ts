import { copyFile, mkdir, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { JsonObject } from '../../../src-shared/model/json.ts';
import { fileFailure } from '../../settings/file-failure.ts';
import { writePrivateFile } from '../../settings/write-private-file.ts';
import type { OpenClawConfigFile } from './read-openclaw-config.ts';

/**
 * Replaces openclaw.json as a whole, with the indentation it had.
 * @throws EngineError `data_dir_blocked` or `disk_full`; the old file is then as it was
 */
export async function writeOpenClawConfig(
  path: string,
  before: Extract<OpenClawConfigFile, { kind: 'missing' | 'json' }>,
  next: JsonObject,
): Promise<void> {
  if (before.kind === 'missing') {
    await makeFolder(dirname(path));
    await writePrivateFile(path, `${JSON.stringify(next, null, 2)}\n`);
    return;
  }
  // A link of somebody who keeps dotfiles elsewhere stays a link.
  await writePrivateFile(await realpath(path), `${JSON.stringify(next, null, indentation(before.text))}\n`);
}

/** Copies the file beside itself under a name with the time. */
export async function backUp(path: string, now: Date): Promise<string> {
  const backup = `${path}.before-strata-${stamp(now)}`;
  try {
    await copyFile(path, backup);
    return backup;
  } catch (error) {
    throw fileFailure(error, backup, 'Make the folder writable for you; nothing was changed');
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw fileFailure(error, path, 'Make the folder above it writable for you');
  }
}

function indentation(text: string): string | number {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? 2;
}

/** `20261130-002412`: sorts, and needs no quoting in a shell. */
function stamp(now: Date): string {
  return now.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
}
