import { checkpointEndsMigration } from './0005-checkpoint-ends.ts';
import { callsMigration } from './0003-calls.ts';
import { checkpointsMigration } from './0002-checkpoints.ts';
import { jobsMigration } from './0004-jobs.ts';
import { toolResultsMigration } from './0006-tool-results.ts';
import { standInsMigration } from './0007-stand-ins.ts';
import { memoryOutboxMigration } from './0008-memory-outbox.ts';
import { pagesMigration } from './0009-pages.ts';
import { memoryOperationsMigration } from './0010-memory-operations.ts';
import { standingMemoryMigration } from './0011-standing-memory.ts';
import { pageStampsMigration } from './0013-page-stamps.ts';
import { logMigration } from './0001-log.ts';
import { callPagesMigration } from './0012-call-pages.ts';
import type { Migration } from './migration.ts';

/** All steps of the schema, in order. */
export const migrations: readonly Migration[] = [
  logMigration,
  checkpointsMigration,
  callsMigration,
  jobsMigration,
  checkpointEndsMigration,
  toolResultsMigration,
  standInsMigration,
  memoryOutboxMigration,
  pagesMigration,
  memoryOperationsMigration,
  standingMemoryMigration,
  callPagesMigration,
  pageStampsMigration,
];
