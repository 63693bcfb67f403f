import { join } from 'node:path';
import { symlinkSync, mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { findSyncFolder } from './find-sync-folder.ts';

it.each([
  ['/Users/a/Library/Mobile Documents/com~apple~CloudDocs/strata', 'iCloud'],
  ['/Users/a/iCloudDrive/strata', 'iCloud'],
  ['C:\\Users\\a\\OneDrive - Firm\\strata', 'OneDrive'],
  ['/home/a/OneDrive/strata', 'OneDrive'],
  ['/home/a/Dropbox/strata', 'Dropbox'],
  ['/home/a/Dropbox (Firm)/strata', 'Dropbox'],
  ['/home/a/Google Drive/strata', 'Google Drive'],
  ['/Users/a/Library/CloudStorage/Box/strata', 'a cloud storage folder'],
])('%s is synchronised by %s', (path, service) => {
  expect(findSyncFolder(path)).toBe(service);
});

it.each(['/home/a/.strata', '/home/a/dropboxes/strata', '/home/a/my-OneDrive-notes/x'])(
  '%s is not synchronised',
  (path) => {
    expect(findSyncFolder(path)).toBeUndefined();
  },
);

it('follows links to where the folder really is', () => {
  const root = temporaryDirectory();
  mkdirSync(join(root, 'Dropbox', 'data'), { recursive: true });
  symlinkSync(join(root, 'Dropbox', 'data'), join(root, 'link'));
  expect(findSyncFolder(join(root, 'link'))).toBe('Dropbox');
});
