import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes a file's content, or a directory's entries after a rename, survive a power cut. */
export function syncPath(path: string, kind: 'file' | 'directory'): void {
  // Windows opens no directories; there a rename is durable by itself.
  if (kind === 'directory' && process.platform === 'win32') return;
  const handle = openSync(path, kind === 'file' ? 'r+' : 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
