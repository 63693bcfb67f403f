import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nextSpoolName } from './spool-name.ts';

/**
 * As `SpoolFiles.append`, for hooks that must answer at once: the text is on disk when this returns.
 * @throws when the text could not be made durable; nothing is left behind then
 */
export function appendNow(dir: string, text: string, now: number): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const name = nextSpoolName(readdirSync(dir), now, randomBytes(4).toString('hex'));
  const temporary = join(dir, `.${name}.${process.pid}.tmp`);
  const file = openSync(temporary, 'wx', 0o600);
  try {
    try {
      writeFileSync(file, text, 'utf8');
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, join(dir, name));
  } catch (error) {
    remove(temporary);
    throw error;
  }
  syncDirectory(dir);
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The write failed already; that error is the one to report.
  }
}

function syncDirectory(dir: string): void {
  if (process.platform === 'win32') return; // directories cannot be opened there
  const handle = openSync(dir, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
