/** As much of a message as says which call it makes and which it answers. */
export interface Pairable {
  readonly toolCallIds: readonly string[];
  readonly toolResultFor?: string | undefined;
}

export interface Pairs {
  /** Indexes of the results of each message with calls, in the order in which the results stand. */
  readonly answers: ReadonlyMap<number, readonly number[]>;
  /** Indexes of results that no call before them waits for. */
  readonly orphans: readonly number[];
}

/**
 * Gives each tool result to the nearest call before it that has its id and no result yet: providers and hosts use ids
 * again in later turns, and a call that was never answered must not take the answer of a later one. Ids must compare
 * equal as they are; see `bareId`. Messages are taken in order, one by one.
 */
export class ResultPairing {
  readonly #waiting = new Map<string, number[]>();

  /** @returns index of the message with the call that this one answers */
  take({ toolCallIds, toolResultFor }: Pairable, index: number): number | undefined {
    if (toolResultFor !== undefined) return this.#waiting.get(toolResultFor)?.pop();
    for (const id of toolCallIds) {
      const calls = this.#waiting.get(id);
      if (calls) calls.push(index);
      else this.#waiting.set(id, [index]);
    }
    return undefined;
  }
}

/** As {@link ResultPairing} pairs them, all at once. */
export function pairResults(messages: readonly Pairable[]): Pairs {
  const pairing = new ResultPairing();
  const answers = new Map<number, number[]>();
  const orphans: number[] = [];
  messages.forEach((message, index) => {
    const call = pairing.take(message, index);
    if (message.toolResultFor !== undefined) {
      if (call === undefined) orphans.push(index);
      else answers.get(call)?.push(index);
    } else if (message.toolCallIds.length > 0) answers.set(index, []);
  });
  return { answers, orphans };
}
