import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { errorCode, fileFailure } from '../settings/file-failure.ts';
import { writePrivateFile } from '../settings/write-private-file.ts';

const endpointSchema = z.object({
  url: z.string(),
  pid: z.int().positive(),
  started_at: z.string(),
  token_file: z.string(),
  version: z.string(),
});
/** Where the daemon of a data directory is: the content of `endpoint.json`. */
export type Endpoint = z.infer<typeof endpointSchema>;

export async function writeEndpoint(dataDir: string, endpoint: Endpoint): Promise<void> {
  await writePrivateFile(endpointPath(dataDir), `${JSON.stringify(endpoint, null, 2)}\n`);
}

/**
 * Undefined when there is none, or none that can be read as one.
 * @throws EngineError `data_dir_blocked` when the file is there but closed to us
 */
export async function readEndpoint(dataDir: string): Promise<Endpoint | undefined> {
  const path = endpointPath(dataDir);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw fileFailure(error, path, 'Make it readable for you');
  }
  try {
    return endpointSchema.safeParse(JSON.parse(text)).data;
  } catch {
    // Not JSON: nobody's endpoint, and the next start writes a new one.
    return undefined;
  }
}

/** Leaves the file alone when another process has written it since. */
export async function removeEndpoint(dataDir: string, own: Endpoint): Promise<void> {
  const present = await readEndpoint(dataDir);
  if (present?.pid !== own.pid || present.url !== own.url) return;
  await rm(endpointPath(dataDir), { force: true });
}

/** Whether a process with this id exists. It may be another one: ids are used again. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

function endpointPath(dataDir: string): string {
  return join(dataDir, 'endpoint.json');
}
