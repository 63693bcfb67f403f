import type { ReadConnection, WriteConnection } from '../sqlite/connection.ts';
import { advancementReads, advancementWrites } from './advancement-table.ts';
import { callPageReads, callPageWrites } from './call-page-table.ts';
import { callReads, callWrites } from './call-table.ts';
import { callUsageReads, callUsageWrites } from './call-usage-table.ts';
import { checkpointReads, checkpointWrites, type HeldRecords } from './checkpoint-table.ts';
import { contentReads, contentWrites } from './content-table.ts';
import { epochReads, epochWrites } from './epoch-table.ts';
import { sessionReads, sessionWrites } from './session-table.ts';
import { standInReads, standInWrites } from './stand-in-table.ts';
import { toolResultReads, toolResultWrites } from './tool-result-table.ts';
import { turnReads, turnWrites } from './turn-table.ts';

/** Everything that can be read, prepared on one connection. */
export function readTables(db: ReadConnection, held: HeldRecords) {
  return {
    advancements: advancementReads(db),
    sessions: sessionReads(db),
    epochs: epochReads(db),
    turns: turnReads(db),
    contents: contentReads(db),
    checkpoints: checkpointReads(db, held, 'committed'),
    calls: callReads(db),
    callPages: callPageReads(db),
    usages: callUsageReads(db),
    toolResults: toolResultReads(db),
    standIns: standInReads(db),
  };
}
export type ReadTables = ReturnType<typeof readTables>;

/** Everything that can be written, prepared on the writer. */
export function writeTables(db: WriteConnection, held: HeldRecords) {
  return {
    sessions: sessionWrites(db),
    epochs: epochWrites(db),
    turns: turnWrites(db),
    advancements: advancementWrites(db),
    contents: contentWrites(db),
    checkpoints: checkpointWrites(db, held),
    calls: callWrites(db),
    callPages: callPageWrites(db),
    usages: callUsageWrites(db),
    toolResults: toolResultWrites(db),
    standIns: standInWrites(db),
  };
}
export type WriteTables = ReturnType<typeof writeTables>;
