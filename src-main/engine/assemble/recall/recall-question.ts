import { sha256 } from '../../hash.ts';
import { stripInjected } from '../../messages/strip-injected.ts';

/** What memory is asked for a turn. */
export interface RecallQuestion {
  /** What the user says now, without what engines and hosts put around it. */
  readonly query: string;
  /** The user's turns before it, oldest first, shortened. */
  readonly earlier: readonly string[];
  /** The same in every call of one turn, and another one in the next turn, also where the user repeats himself. */
  readonly key: string;
}

/** Longer messages are asked by their beginning and their end (characters). */
const longestQuery = 2_000;

/** OpenClaw's time stamp before what users say (contract §1.6): `[Sun 2026-11-29 23:01 UTC] `. */
const timeStamp = /^\[[A-Z][a-z]{2} \d{4}-\d{2}-\d{2} \d{2}:\d{2}[^\]\n]{0,20}\] /;

export function questionOf(said: string, earlier: readonly string[]): RecallQuestion {
  const bare = stripInjected(said.slice(0, longestStripped)).text.replace(timeStamp, '').trim().toWellFormed();
  const half = longestQuery / 2;
  const query = bare.length <= longestQuery ? bare : `${bare.slice(0, half)} … ${bare.slice(-half)}`.toWellFormed();
  return { query, earlier, key: sha256(JSON.stringify([query, earlier])) };
}

/** A pasted file of megabytes is looked at to here (characters). */
const longestStripped = 200_000;
