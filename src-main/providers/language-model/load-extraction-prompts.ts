import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readExtractionPrompts, type ExtractionPrompts } from '../../engine/memory/extract/model/extraction-prompts.ts';

/**
 * Reads what a model is asked with for memories.
 * @param root the folder of package.json
 * @throws EngineError `internal` when the file is incomplete, or an error of the file system
 */
export async function loadExtractionPrompts(root: string): Promise<ExtractionPrompts> {
  return readExtractionPrompts(await readFile(join(root, 'resources', 'prompts', 'extraction.md'), 'utf8'));
}
