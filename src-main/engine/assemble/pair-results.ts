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
 * equal as they are; see `bareId`.
 */
export function pairResults(messages: readonly Pairable[]): Pairs {
  const waiting = new Map<string, number[]>();
  const answers = new Map<number, number[]>();
  const orphans: number[] = [];
  messages.forEach((message, index) => {
    if (message.toolResultFor !== undefined) {
      const call = waiting.get(message.toolResultFor)?.pop();
      if (call === undefined) orphans.push(index);
      else answers.get(call)?.push(index);
      return;
    }
    if (message.toolCallIds.length > 0) answers.set(index, []);
    for (const id of message.toolCallIds) {
      const calls = waiting.get(id);
      if (calls) calls.push(index);
      else waiting.set(id, [index]);
    }
  });
  return { answers, orphans };
}
