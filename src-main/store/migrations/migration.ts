import type { WriteConnection } from '../sqlite/connection.ts';

/** One step of the schema. Released steps never change: a later one corrects them. */
export interface Migration {
  /** `PRAGMA user_version` after it; counts 1, 2, 3 … */
  readonly version: number;
  readonly name: string;
  up(db: Pick<WriteConnection, 'script' | 'query' | 'command'>): void;
}
