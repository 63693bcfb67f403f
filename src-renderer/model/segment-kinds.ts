import type { SegmentKind } from '../../src-shared/model/trace.ts';

export interface SegmentKindWords {
  readonly kind: SegmentKind;
  readonly name: string;
  /** Stands for the kind where a name has no room; together with the texture it tells kinds apart without colour. */
  readonly letter: string;
  readonly meaning: string;
}

/** In the order in which segments stand in a bar and in a legend: as the model reads them. */
export const segmentKinds: readonly SegmentKindWords[] = [
  { kind: 'system', name: 'System', letter: 'S', meaning: 'Standing instructions and system messages' },
  { kind: 'profile', name: 'Profile', letter: 'P', meaning: 'What is known about the user' },
  { kind: 'memory_index', name: 'Memory index', letter: 'I', meaning: 'The list of memory pages' },
  { kind: 'recalled_memory', name: 'Recalled memory', letter: 'M', meaning: 'Memories found for this turn' },
  { kind: 'summary', name: 'Summaries', letter: 'Σ', meaning: 'Checkpoint summaries that stand for older turns' },
  { kind: 'raw_turn', name: 'Raw turns', letter: 'T', meaning: 'Messages of the conversation, word for word' },
  { kind: 'tool_result', name: 'Tool results', letter: 'R', meaning: 'Results of tool calls, word for word' },
  { kind: 'reserved', name: 'Reserved', letter: 'X', meaning: 'Kept free for the answer' },
  { kind: 'free', name: 'Free', letter: 'F', meaning: 'Budget that nothing was put into' },
];

const byKind: ReadonlyMap<SegmentKind, SegmentKindWords> = new Map(segmentKinds.map((words) => [words.kind, words]));

export function segmentKindWords(kind: SegmentKind): SegmentKindWords {
  const words = byKind.get(kind);
  if (words === undefined) return { kind, name: kind, letter: '?', meaning: 'A kind that this page does not know' };
  return words;
}
