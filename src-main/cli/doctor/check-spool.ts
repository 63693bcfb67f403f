import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../settings/file-failure.ts';
import { formatAmount } from '../format.ts';
import { failed, ok, warning, type Check } from './check.ts';

/** Turns that the plugin stored while no daemon answered, and that wait for their delivery. */
export async function checkSpool(dataDir: string, daemonRuns: boolean): Promise<readonly Check[]> {
  const directory = join(dataDir, 'spool');
  let files: readonly string[];
  try {
    files = (await readdir(directory)).filter((name) => name.endsWith('.json'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [ok('spool', 'No turns wait for delivery.')];
    return [
      failed(
        'spool',
        `${directory} cannot be read (${errorCode(error) ?? 'unknown error'}).`,
        `chmod -R u+rwX ${directory}`,
      ),
    ];
  }
  if (files.length === 0) return [ok('spool', 'No turns wait for delivery.')];
  const remedy = daemonRuns
    ? 'The plugin delivers them with the next turn of the host; if the number stays, look at the log of OpenClaw.'
    : 'Start the daemon; the plugin delivers them with the next turn of the host.';
  return [warning('spool', `${formatAmount(files.length, 'undelivered turn')} in ${directory}.`, remedy)];
}
