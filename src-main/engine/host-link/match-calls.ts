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

/** An answer of the model, the turn before it, and the result of the tool that it called, where that comes next. */
export interface PlacedAnswer {
  readonly answer: LoggedTurn;
  readonly before: LoggedTurn;
  readonly result: LoggedTurn | undefined;
}

/**
 * Which assemble call each answer of the model was made from. The host asks for a list, calls the model, and writes the
 * answer with the time at which the model began: so the call lies between the message before the answer and the answer
 * itself. Some hosts ask twice before the first model call of a run; they send the newer list. Where no call lies
 * between, the host did not ask, and nothing is matched. No host asks while the model answers or its tools run: a call
 * at such a time means that the two clocks differ, and then nothing is matched at all.
 * @param answers in order of the log
 * @param calls of the same session, in any order
 */
export function matchCalls(answers: readonly PlacedAnswer[], calls: readonly TimedCall[]): ReadonlyMap<string, string> {
  if (calls.some((call) => answers.some((placed) => isMeanwhile(call, placed)))) return new Map();
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

function isMeanwhile({ at }: TimedCall, { answer, result }: PlacedAnswer): boolean {
  return result !== undefined && at > answer.at && at < result.at;
}
