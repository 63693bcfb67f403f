import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readPrompts, type Prompts } from '../prompts.ts';

export const promptFile = resolve(import.meta.dirname, '../../../../resources/prompts/compaction.md');

/** The prompts as they are delivered. */
export function deliveredPrompts(): Prompts {
  return readPrompts(readFileSync(promptFile, 'utf8'));
}
