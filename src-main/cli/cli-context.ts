import type { DaemonClient } from '../http/client/daemon-client.ts';

/** Everything that a command touches outside of itself. */
export interface CliContext {
  readonly env: NodeJS.ProcessEnv;
  readonly dataDir: string;
  readonly client: DaemonClient;
  readonly json: boolean;
  /** The folder of the product, with its build in `out`. */
  readonly root: string;
  now(): Date;
  /** One or more lines for the person, or for whoever reads the pipe. */
  print(text: string): void;
  /** Progress and remarks; never part of the result. */
  note(text: string): void;
  /** False where nobody can answer: without a terminal. */
  readonly canAsk: boolean;
  /** Asks yes or no; false where nobody can answer. */
  confirm(question: string): Promise<boolean>;
}

/** What a command ends with. 2 is commander's own: wrong usage. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, noDaemon: 3 } as const;
