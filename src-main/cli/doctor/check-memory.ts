import { access, constants, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Config } from '../../../src-shared/model/config.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { HealthReply } from '../../../src-shared/protocol/health.ts';
import { createEmbedder } from '../../providers/embedder/create-embedder.ts';
import { errorCode } from '../../settings/file-failure.ts';
import { loadConfig } from '../../settings/load-config.ts';
import { formatAmount, formatCount } from '../format.ts';
import { failed, ok, warning, type Check } from './check.ts';

export interface MemoryPlace {
  readonly dataDir: string;
  /** Folder that holds `resources`. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
}

/** An endpoint that takes longer for one word is no use for a search (ms). */
const embedWithin = 10_000;

/** Long-term memory: the folder of its pages, its index, and what makes vectors. */
export async function checkMemory(place: MemoryPlace, health: HealthReply | undefined): Promise<readonly Check[]> {
  const config = await readConfig(place.dataDir);
  if (!config) return [];
  return [await checkWorkspace(place.dataDir, config), ...checkIndex(health), await checkEmbedder(place, config)];
}

/** Undefined where it cannot be read: that has a check of its own. */
async function readConfig(dataDir: string): Promise<Config | undefined> {
  try {
    return await loadConfig(dataDir);
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

async function checkWorkspace(dataDir: string, { memory }: Config): Promise<Check> {
  const directory = resolve(dataDir, memory.workspace);
  const remedy = 'Make it a folder that you can write, or name another one under memory.workspace in config.yaml.';
  try {
    if (!(await stat(directory)).isDirectory())
      return failed('workspace', `The workspace of memory, ${directory}, is no folder.`, remedy);
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok('workspace', `The workspace of memory is ${directory}.`);
  } catch (error) {
    const code = errorCode(error) ?? 'unknown error';
    if (code === 'ENOENT')
      return ok('workspace', `The workspace of memory, ${directory}, is made with its first page.`);
    return failed('workspace', `The workspace of memory, ${directory}, cannot be written (${code}).`, remedy);
  }
}

/** What waits, what was given up, and which pages cannot be read; only a running daemon knows. */
function checkIndex(health: HealthReply | undefined): readonly Check[] {
  if (!health?.index) return [];
  const { waiting, dead, pages, turns, vectors } = health.index;
  const alarms = health.alarms.filter(({ code }) => code === 'index_behind');
  const checks = alarms.map(({ message, remedy }) => warning('index', message, remedy));
  if (checks.length === 0 && dead === 0) {
    const counts =
      pages === undefined
        ? 'is busy and told no counts'
        : `holds ${formatAmount(pages, 'page')}, ${formatAmount(turns ?? 0, 'turn')} and ${formatAmount(vectors ?? 0, 'vector')}`;
    checks.push(ok('index', `The index of memory ${counts}; ${formatCount(waiting)} changed pages wait for it.`));
  }
  const unreadable = health.alarms.some(({ code }) => code === 'page_unreadable');
  return unreadable ? checks : [...checks, ok('pages', 'All pages of memory can be read.')];
}

/** Asks it for the vector of one word: that is what says most. */
async function checkEmbedder({ env, root }: MemoryPlace, { embedder: config }: Config): Promise<Check> {
  if (config.provider === 'none')
    return ok('embedder', 'No embedder is configured: memory is searched by words, not by meaning.');
  const timeoutMs = Math.min(embedWithin, config.timeout_ms);
  try {
    const embedder = createEmbedder({ config: { ...config, timeout_ms: timeoutMs, retries: 0 }, env, root });
    const [vector] = (await embedder?.embed(['memory'])) ?? [];
    await embedder?.close();
    return ok('embedder', `The embedder answers (${embedder?.id ?? ''}, ${vector?.length ?? 0} numbers).`);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const remedy =
      config.provider === 'builtin'
        ? 'Install Strata again; until then memory is searched by words.'
        : 'Mend embedder in config.yaml, then restart the daemon; until then memory is searched by words.';
    return warning('embedder', `The embedder fails: ${said}`, remedy);
  }
}
