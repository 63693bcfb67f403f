import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { errorFields, type Logger } from '../../logger.ts';
import { errorCode, fileFailure } from '../../settings/file-failure.ts';
import { writePrivateFile } from '../../settings/write-private-file.ts';

export interface InspectorSessions {
  /** @throws EngineError `disk_full` or `data_dir_blocked`; the session then does not exist */
  create(): Promise<{ readonly token: string; readonly expiresAt: number }>;
  has(token: string): boolean;
}

const lifetimeMs = 30 * 24 * 60 * 60 * 1_000;
const maxSessions = 100;

const fileSchema = z.object({
  version: z.literal(1),
  sessions: z.array(z.object({ hash: z.string(), created_at: z.string(), expires_at: z.string() })),
});
type StoredSession = z.infer<typeof fileSchema>['sessions'][number];

/**
 * Sign-ins of browsers. `inspector-sessions.json` holds hashes only, so that reading it opens nothing.
 * A file that is damaged is put aside by the next sign-in: everybody signs in again.
 */
export async function openInspectorSessions(
  dataDir: string,
  parts: { readonly now: () => number; readonly logger: Logger },
): Promise<InspectorSessions> {
  const path = join(dataDir, 'inspector-sessions.json');
  let sessions: readonly StoredSession[] = await read(path, parts.logger);
  let writing: Promise<unknown> = Promise.resolve();

  const alive = (session: StoredSession): boolean => parts.now() < Date.parse(session.expires_at);

  async function add(session: StoredSession): Promise<void> {
    const next = [...sessions.filter(alive), session].slice(-maxSessions);
    await writePrivateFile(path, `${JSON.stringify({ version: 1, sessions: next }, null, 2)}\n`);
    sessions = next;
  }

  return {
    async create() {
      const token = randomBytes(32).toString('hex');
      const at = parts.now();
      const session = {
        hash: hash(token),
        created_at: new Date(at).toISOString(),
        expires_at: new Date(at + lifetimeMs).toISOString(),
      };
      // One after the other: each write carries what the one before it added.
      const written = writing.then(() => add(session));
      writing = written.catch(() => undefined); // Reported to its own caller below.
      await written;
      return { token, expiresAt: at + lifetimeMs };
    },
    has(token) {
      const key = hash(token);
      return sessions.some((session) => session.hash === key && alive(session));
    },
  };
}

async function read(path: string, logger: Logger): Promise<readonly StoredSession[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw fileFailure(error, path, 'Make it readable for you, or remove it');
  }
  try {
    return fileSchema.parse(JSON.parse(text)).sessions;
  } catch (error) {
    logger.warn('inspector_sessions_unreadable', { path, ...errorFields(error) });
    return [];
  }
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
