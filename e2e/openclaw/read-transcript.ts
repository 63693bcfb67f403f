import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenClawHost } from './openclaw-host.ts';

export interface TranscriptTarget {
  readonly sessionKey: string;
  readonly sessionId: string;
}

/**
 * The messages of sessions as the host's own reader gives them, in one process of the host; on the oldest hosts as they
 * stand in their files.
 */
export async function readTranscripts(host: OpenClawHost, targets: readonly TranscriptTarget[]): Promise<unknown[][]> {
  if (host.isOldest) return targets.map(({ sessionId }) => readFile(host, sessionId));
  return await host.evaluate<unknown[][]>(`
    const { readVisibleSessionTranscriptMessageEntries: read } = await import('openclaw/plugin-sdk/session-transcript-runtime');
    const all = [];
    for (const target of ${JSON.stringify(targets)}) {
      const entries = await read({ agentId: 'main', ...target });
      all.push(entries.map((entry) => entry.message));
    }
    process.stdout.write('RESULT ' + JSON.stringify(all) + '\\n', () => process.exit(0));
  `);
}

function readFile(host: OpenClawHost, sessionId: string): unknown[] {
  const dir = join(host.home, '.openclaw', 'agents', 'main', 'sessions');
  // A reset renames the file to `….jsonl.reset.…`.
  const name = readdirSync(dir).find((candidate) => candidate.startsWith(`${sessionId}.jsonl`));
  if (name === undefined) throw new Error(`There is no transcript of ${sessionId} in ${dir}`);
  const lines = readFileSync(join(dir, name), 'utf8').split('\n').filter(Boolean);
  const entries = lines.map((line) => JSON.parse(line) as { type: string; message?: unknown });
  return entries.filter(({ type }) => type === 'message').map(({ message }) => message);
}
