import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readPrompts, type Prompts } from '../../engine/compact/prompts.ts';

/**
 * Reads the prompts of `resources/prompts`.
 * @param root the folder of package.json
 * @throws EngineError `internal` when the file is incomplete, or an error of the file system
 */
export async function loadPrompts(root: string): Promise<Prompts> {
  return readPrompts(await readFile(join(root, 'resources', 'prompts', 'compaction.md'), 'utf8'));
}
