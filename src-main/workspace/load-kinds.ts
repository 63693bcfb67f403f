import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MemoryKinds } from '../engine/memory/kinds/memory-kinds.ts';
import { readKind } from '../engine/memory/kinds/read-kind.ts';
import { isMissing } from './workspace-error.ts';

/**
 * Reads the kinds of memory of the product, then those of the data directory (`kinds/*.yaml`), which may replace them.
 * @param root the folder of package.json
 * @throws EngineError `invalid_config` that names the file
 */
export async function loadKinds(root: string, dataDir: string): Promise<MemoryKinds> {
  const kinds = [];
  for (const folder of [join(root, 'resources', 'kinds'), join(dataDir, 'kinds')]) {
    for (const name of await yamlFiles(folder)) {
      const file = join(folder, name);
      kinds.push(readKind(await readFile(file, 'utf8'), file));
    }
  }
  return new MemoryKinds(kinds);
}

async function yamlFiles(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => /\.ya?ml$/.test(name)).sort();
  } catch (error) {
    // A data directory need not have kinds of its own.
    if (isMissing(error)) return [];
    throw error;
  }
}
