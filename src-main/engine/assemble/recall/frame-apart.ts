import type { Choice, Selection } from '../assemble-input.ts';
import { bareCandidate } from './read-recall-result.ts';
import type { Recalled } from './recalled.ts';

/**
 * What stands around the recalled memories as a part of its own. A strategy spends it with the first memory that it
 * takes; on record that would look as if this memory were larger than it is.
 */
export function withFrameApart(selection: Selection, { frameTokens, packed }: Recalled): Selection {
  if (frameTokens === 0) return selection;
  const recalled = new Set(packed.map(({ candidate }) => candidate.item));
  const index = selection.choices.findIndex(
    ({ action, candidate }) => action !== 'dropped' && recalled.has(candidate.item),
  );
  const first = selection.choices[index];
  if (!first) return selection;
  const frame: Choice = {
    candidate: bareCandidate('frame', 'The call and the note around what was recalled', frameTokens),
    action: 'included',
    reason: 'recall_frame',
    tokensAfter: frameTokens,
  };
  const alone = { ...first, tokensAfter: Math.max(0, first.tokensAfter - frameTokens) };
  return { ...selection, choices: selection.choices.toSpliced(index, 1, frame, alone) };
}
