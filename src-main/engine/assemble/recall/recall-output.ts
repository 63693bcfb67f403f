import type { MessageFormat } from '../../../../src-shared/protocol/host-message.ts';
import type { Choice } from '../assemble-input.ts';
import type { Unit } from '../build-units.ts';
import { ours, type OutputMessage } from '../output-message.ts';
import type { RecallPlace } from './find-question.ts';
import { recallMessages, type RecallForm } from './recall-message.ts';
import type { Recalled } from './recalled.ts';

export interface RecallOutput {
  readonly recalled: Recalled;
  readonly place: RecallPlace;
  readonly form: RecallForm;
}

/** The messages of what was recalled and chosen; none where nothing was. */
export function recallOutput(
  { recalled, form }: RecallOutput,
  chosen: ReadonlyMap<string, Choice>,
  format: MessageFormat,
  needsLead: boolean,
): readonly OutputMessage[] {
  const sent = recalled.packed.filter(({ candidate }) => chosen.has(candidate.item));
  const [first] = sent;
  if (!first) return [];
  const text = { query: recalled.query, blocks: sent.map(({ block }) => block), at: recalled.at };
  return recallMessages(text, form, format, needsLead).map((message) =>
    ours(first.candidate.item, JSON.stringify(message)),
  );
}

/** Index of the unit before which it stands: the user's newest message, or where that would be. */
export function recallIndex(units: readonly Unit[], place: RecallPlace): number {
  if (place.at === 'end') return units.length;
  const index = units.findIndex(({ members: [first] }) => {
    if (first === undefined) return false;
    if (place.hostIndex !== undefined) return first.hostIndex !== undefined && first.hostIndex >= place.hostIndex;
    return (first.sequence ?? 0) >= (place.sequence ?? Infinity);
  });
  return index === -1 ? units.length : index;
}
