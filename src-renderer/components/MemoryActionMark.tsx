import type { MemoryAction } from '../../src-shared/model/memory-operation.ts';
import { memoryActionMeaning, memoryActionWord } from '../model/operation-words.ts';
import { Mark } from './Mark.tsx';

const fills = { ADD: 'full', UPDATE: 'half', DELETE: 'dashed', NONE: 'none', REFUSED: 'cross' } as const;

/** Filled: added; half: updated; dashed: retired; hollow: nothing was needed; crossed: refused. */
export function MemoryActionMark({ action }: { readonly action: MemoryAction }) {
  return <Mark fill={fills[action]} word={memoryActionWord(action)} title={memoryActionMeaning(action)} />;
}
