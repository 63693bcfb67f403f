import type { RecallResult } from '../../../src-shared/model/recall.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';

type Degraded = RecallResult['degraded'][number];

/** Runs the parts of one search: a part that fails or comes too late is left out and said so. */
export class SearchParts {
  readonly degraded: Degraded[] = [];
  readonly #signal: AbortSignal | undefined;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  get isAborted(): boolean {
    return this.#signal?.aborted === true;
  }

  /**
   * @param part what is missing when it fails, for people
   * @param fallback what is gone on with
   */
  async run<T>(part: string, work: () => Promise<T>, fallback: T): Promise<T> {
    if (this.isAborted) return this.#late(part, fallback);
    let stopListening = (): void => undefined;
    const aborted = new Promise<'aborted'>((resolve) => {
      const onAbort = (): void => resolve('aborted');
      this.#signal?.addEventListener('abort', onAbort, { once: true });
      stopListening = () => this.#signal?.removeEventListener('abort', onAbort);
    });
    try {
      const done = work().then((value) => ({ value }));
      const first = await Promise.race([done, aborted]);
      if (first !== 'aborted') return first.value;
      // Nobody waits for it any more; that it failed then is no news.
      done.catch(() => undefined);
      return this.#late(part, fallback);
    } catch (error) {
      if (this.isAborted) return this.#late(part, fallback);
      this.#note(error instanceof EngineError ? error.code : 'internal', `${part}: ${messageOf(error)}`);
      return fallback;
    } finally {
      stopListening();
    }
  }

  #late<T>(part: string, fallback: T): T {
    this.#note('deadline_exceeded', `${part}: the search was ended before it came.`);
    return fallback;
  }

  #note(code: string, message: string): void {
    if (!this.degraded.some((known) => known.message === message)) this.degraded.push({ code, message });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
