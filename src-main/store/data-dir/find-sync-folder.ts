import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

const services: readonly (readonly [RegExp, string])[] = [
  [/^(iCloud ?Drive|com~apple~CloudDocs|Mobile Documents)/i, 'iCloud'],
  [/^OneDrive($| - )/i, 'OneDrive'],
  [/^\.?Dropbox($| \()/i, 'Dropbox'],
  [/^(Google ?Drive|GoogleDrive-.*|My Drive)$/i, 'Google Drive'],
  [/^CloudStorage$/i, 'a cloud storage folder'],
];

/**
 * Name of the service that synchronises this path, judged by the names of its folders. Such services copy a database
 * while it is written, file by file, and bring back damaged ones.
 */
export function findSyncFolder(path: string): string | undefined {
  for (const segment of realPath(path).split(/[/\\]/)) {
    const found = services.find(([pattern]) => pattern.test(segment));
    if (found !== undefined) return found[1];
  }
  return undefined;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Not there yet: then its own text is all there is to judge.
    return resolve(path);
  }
}
