/** Runs the work of one session in the order in which it came; that of different sessions runs side by side. */
export class SessionQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(session: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(session) ?? Promise.resolve();
    // What the work before came to is its own caller's business.
    const running = before.then(work, work);
    this.#last.set(session, running);
    try {
      return await running;
    } finally {
      if (this.#last.get(session) === running) this.#last.delete(session);
    }
  }
}
