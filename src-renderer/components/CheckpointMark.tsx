import type { CheckpointState } from '../../src-shared/model/checkpoint.ts';
import { checkpointStateMeaning, checkpointStateWord } from '../model/checkpoint-words.ts';
import { Mark } from './Mark.tsx';

const fills = { stands: 'full', folded: 'half', replaced: 'none', dissolved: 'dashed' } as const;

/** Filled: it stands; half: folded into another; hollow: replaced; dashed: dissolved. */
export function CheckpointMark({ state, named = true }: { readonly state: CheckpointState; readonly named?: boolean }) {
  return (
    <Mark
      shape="square"
      fill={fills[state]}
      word={checkpointStateWord(state)}
      title={checkpointStateMeaning(state)}
      named={named}
    />
  );
}
