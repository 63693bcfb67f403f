/** A turn of the log in its order. Times in milliseconds since the Unix epoch, by the host's clock. */
export interface LoggedTurn {
  readonly turnId: string;
  readonly at: number;
}

/** An assemble call. */
export interface TimedCall {
  readonly id: string;
  readonly at: number;
}

/**
 * Which assemble call each answer of the model was made from. The host asks for a list, calls the model, and writes the
 * answer with the time at which the model began: so the call lies between the message before the answer and the answer
 * itself. Some hosts ask twice before the first model call of a run; they send the newer list. Where no call lies
 * between, the host did not ask, and nothing is matched.
 * @param turns in order of the log, each answer with the turn before it
 * @param calls of the same session, in any order
 */
export function matchCalls(
  answers: readonly { readonly answer: LoggedTurn; readonly before: LoggedTurn }[],
  calls: readonly TimedCall[],
): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const matched = new Map<string, string>();
  const newestFirst = calls.toSorted((a, b) => b.at - a.at);
  for (const { answer, before } of answers) {
    const call = newestFirst.find(({ at, id }) => at <= answer.at && at >= before.at && !taken.has(id));
    if (call === undefined) continue;
    taken.add(call.id);
    matched.set(answer.turnId, call.id);
  }
  return matched;
}
