import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { errorCode, fileFailure } from '../../settings/file-failure.ts';
import { writePrivateFile } from '../../settings/write-private-file.ts';

const installRecordSchema = z.object({
  /** The openclaw.json that was changed. */
  configPath: z.string(),
  /** What held the slot of the context engine before. */
  previousSlot: z.string().optional(),
  /** Plugins that the host switched off, because only one can hold the slot. */
  disabled: z.array(z.string()).readonly().optional(),
  /** Copy of the file as it was. */
  backup: z.string().optional(),
});

/** What an installation found, so that it can be taken back. */
export type InstallRecord = z.infer<typeof installRecordSchema>;

const fileName = 'openclaw-install.json';

/** Keeps the first record: a second installation must not take our own slot for the one before. */
export async function writeInstallRecord(dataDir: string, record: InstallRecord): Promise<void> {
  const known = await readInstallRecord(dataDir);
  if (known?.configPath === record.configPath && record.previousSlot === 'strata') return;
  await writePrivateFile(join(dataDir, fileName), `${JSON.stringify(record, null, 2)}\n`);
}

/** Undefined when there is none, or when it is no longer readable as one. */
export async function readInstallRecord(dataDir: string): Promise<InstallRecord | undefined> {
  let text: string;
  try {
    text = await readFile(join(dataDir, fileName), 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw fileFailure(error, join(dataDir, fileName), 'Make it readable for you, or remove it');
  }
  const parsed = installRecordSchema.safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // an unreadable record is treated as none
  }
}
