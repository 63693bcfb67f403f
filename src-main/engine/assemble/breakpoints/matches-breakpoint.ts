import type { AssembleTrace } from '../../../../src-shared/model/trace.ts';
import type { BreakpointCondition } from '../../../../src-shared/protocol/breakpoints.ts';

export interface BreakpointMatch {
  /** What matched, in a sentence. */
  readonly because: string;
  readonly item?: string;
}

/** Whether a call is one that a person wants to stop at. */
export function matchesBreakpoint(
  when: BreakpointCondition,
  { decisions, items, slots }: Pick<AssembleTrace, 'decisions' | 'items' | 'slots'>,
): BreakpointMatch | undefined {
  switch (when.type) {
    case 'item_dropped': {
      const uris = new Map(items.map(({ item, uri }) => [item, uri]));
      const found = decisions.find(
        ({ action, item }) => action === 'dropped' && (fits(when.item, item) || fits(when.item, uris.get(item) ?? '')),
      );
      return (
        found && { because: `${found.item} was left out: ${found.reason.replaceAll('_', ' ')}.`, item: found.item }
      );
    }
    case 'free_below': {
      const left = decisions.at(-1)?.budget_left;
      if (left === undefined || left >= when.tokens) return undefined;
      return { because: `${left} tokens of the budget are left, fewer than ${when.tokens}.` };
    }
    case 'slot_over': {
      const slot = slots.find(({ kind, asked, allotted, used }) =>
        kind !== when.kind ? false : when.tokens === undefined ? asked > allotted : used > when.tokens,
      );
      if (!slot) return undefined;
      return {
        because:
          when.tokens === undefined
            ? `${when.kind} was asked for ${slot.asked} tokens and allotted ${slot.allotted}.`
            : `${when.kind} takes ${slot.used} tokens, more than ${when.tokens}.`,
      };
    }
  }
}

/** `*` stands for any characters. Each piece is looked for behind the one before, so that time grows with the lengths only. */
function fits(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return name === pattern;
  const last = rest.pop() ?? '';
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found === -1 || found + piece.length > name.length - last.length) return false;
    at = found + piece.length;
  }
  return at <= name.length - last.length;
}
