import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSessionStore } from '../open-session-store.ts';
import { describeJobQueue } from '../testing/job-queue-contract.ts';

describeJobQueue('SQLite', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'strata-store-'));
  return {
    open: async () => openSessionStore({ dataDir, backups: 2 }),
    dispose: async () => rmSync(dataDir, { recursive: true, force: true }),
  };
});
