import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { writePrivateFile } from '../../settings/write-private-file.ts';

/** Tokens given to a model by day. */
export interface SpendLedger {
  /** @param day such as `2026-11-30` */
  spent(day: string): Promise<number>;
  /** The count never goes down within a day: what is no count of tokens adds nothing. */
  add(day: string, tokens: number): Promise<void>;
}

const fileSchema = z.object({ day: z.string(), tokens: z.int().nonnegative() });
type Entry = z.infer<typeof fileSchema>;

/**
 * Keeps the count of the newest day in a small file, so that a restart does not begin a new one. What cannot be written
 * still counts until then; a file that is no ledger counts as none.
 */
export function createFileLedger(path: string, onTrouble: (error: unknown) => void): SpendLedger {
  let entry: Promise<Entry> | undefined;
  let writing: Promise<void> = Promise.resolve();
  const current = (): Promise<Entry> => (entry ??= readEntry(path, onTrouble));
  return {
    spent: async (day) => {
      const known = await current();
      return known.day === day ? known.tokens : 0;
    },
    add: async (day, tokens) => {
      // Taken over at once, so that two that add at the same time both count.
      const more = Number.isFinite(tokens) ? Math.max(0, Math.ceil(tokens)) : 0;
      const next = current().then((known) => {
        const sum = (known.day === day ? known.tokens : 0) + more;
        return { day, tokens: Math.min(sum, Number.MAX_SAFE_INTEGER) };
      });
      entry = next;
      const written = writing.then(async () => writePrivateFile(path, `${JSON.stringify(await next)}\n`));
      writing = written.catch(onTrouble);
      await writing;
    },
  };
}

async function readEntry(path: string, onTrouble: (error: unknown) => void): Promise<Entry> {
  const none = { day: '', tokens: 0 };
  try {
    const parsed = fileSchema.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return parsed.success ? parsed.data : none;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) onTrouble(error);
    return none;
  }
}
