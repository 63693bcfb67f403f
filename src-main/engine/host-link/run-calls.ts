const remembered = 1_000;

/**
 * Which assemble call a run of the host began with. A run is seen right after its call was assembled; what the host
 * reports of it may come when the next one is there already. A call belongs to one run: another run that is seen with
 * the same newest call went by the engine.
 */
export class RunCalls {
  readonly #callOf = new Map<string, string | undefined>();
  readonly #runOf = new Map<string, string>();

  /** @param newestCall of the run's session, when the run was seen */
  seen(run: string, newestCall: string | undefined): void {
    if (this.#callOf.has(run)) return;
    const owner = newestCall === undefined ? undefined : this.#runOf.get(newestCall);
    const own = owner === undefined || owner === run ? newestCall : undefined;
    keep(this.#callOf, run, own);
    if (own !== undefined) keep(this.#runOf, own, run);
  }

  /**
   * The call that a report of the run is put beside.
   * @returns undefined when the run went by the engine, or was never seen: then nothing tells which call it is about
   */
  callOf(run: string): string | undefined {
    return this.#callOf.get(run);
  }
}

function keep<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value);
  const oldest = map.size > remembered ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
}
