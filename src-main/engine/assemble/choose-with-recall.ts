import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { sessionUri } from '../../../src-shared/model/uri.ts';
import type { SessionRow } from '../ports/session-store.ts';
import type { ContextEngine } from '../strategies/context-engine.ts';
import type { AssembleInput, Selection } from './assemble-input.ts';
import { checkSelection } from './check-selection.ts';
import { withFrameApart } from './recall/frame-apart.ts';
import type { Recalled } from './recall/recalled.ts';
import { seenIn, withoutRepeats } from './recall/without-repeats.ts';

export interface Choosing {
  readonly strategy: ContextEngine;
  readonly strategyName: string;
  readonly session: SessionRow;
  /** The host has started over; see `isAnotherConversation`. */
  readonly startsOver: boolean;
  /** Tokens set apart for recalled memories. */
  readonly room: number;
}

export interface Chosen {
  readonly selection: Selection;
  readonly recalled: Recalled | undefined;
}

/**
 * The strategy's selection, with what was recalled among the candidates. What it sends anyway is not recalled besides: a
 * second selection is made without that, where there is any.
 */
export async function chooseWithRecall(
  bare: AssembleInput,
  found: Recalled | undefined,
  choosing: Choosing,
): Promise<Chosen> {
  const { strategy, strategyName: name, session, startsOver, room } = choosing;
  const select = async (recalled: Recalled | undefined): Promise<Selection> => {
    const input = recalled ? withRecalled(bare, recalled, room) : bare;
    return checkSelection(await choose(strategy, input, name), input, name);
  };
  const first = await select(found);
  if (!found) return { selection: first, recalled: undefined };
  const hidesSession = startsOver ? sessionUri(session.userId, session.uid) : undefined;
  const recalled = withoutRepeats(found, { uris: seenIn(first), hidesSession });
  const selection = recalled === found ? first : await select(recalled);
  return { selection: withFrameApart(selection, recalled), recalled };
}

function withRecalled(input: AssembleInput, recalled: Recalled, room: number): AssembleInput {
  return {
    ...input,
    recalled: recalled.packed.map(({ candidate }) => candidate),
    recalledFrameTokens: recalled.frameTokens,
    recallRoom: room,
    unavailable: [...input.unavailable, ...recalled.rejected],
  };
}

/** What a strategy throws is its own fault, whatever it is, and is told under its name. */
async function choose(strategy: ContextEngine, input: AssembleInput, name: string): Promise<unknown> {
  try {
    return await strategy.assemble(input);
  } catch (cause) {
    if (cause instanceof EngineError && cause.code === 'strategy_failed') throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new EngineError('strategy_failed', `The strategy ${name} failed: ${message.slice(0, 500)}.`, { cause });
  }
}
