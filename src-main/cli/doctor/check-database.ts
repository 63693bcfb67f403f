import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { HealthReply } from '../../../src-shared/protocol/health.ts';
import { checkIntegrity } from '../../store/recovery/check-integrity.ts';
import { formatAmount, formatBytes } from '../format.ts';
import { failed, ok, type Check } from './check.ts';

/** Reads the whole database while nobody owns it; a running daemon is asked instead. */
export function checkDatabase(dataDir: string, health: HealthReply | undefined): readonly Check[] {
  const file = join(dataDir, 'strata.db');
  if (health !== undefined) {
    const { turns, size_bytes } = health.store;
    const size = `${formatAmount(turns, 'turn')}, ${formatBytes(size_bytes)}`;
    return [ok('database', `The daemon has the database open (${size}); it is checked in full while no daemon runs.`)];
  }
  if (!existsSync(file)) return [ok('database', 'There is no database yet; the first start makes it.')];
  const problems = checkIntegrity(file);
  if (problems.length === 0)
    return [ok('database', 'The database is sound: structure, references, numbering, bodies.')];
  return problems.map((problem) =>
    failed(
      'database',
      problem,
      `Keep a copy of ${dataDir}, then start Strata: it restores the newest sound backup and says what is missing.`,
    ),
  );
}
