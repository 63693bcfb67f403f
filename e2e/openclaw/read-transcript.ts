import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenClawHost } from './openclaw-host.ts';

/**
 * The messages of a session as the host's own reader gives them; on the oldest hosts as they stand in its file.
 */
export async function readTranscript(host: OpenClawHost, sessionKey: string, sessionId: string): Promise<unknown[]> {
  if (host.isOldest) {
    const file = join(host.home, '.openclaw', 'agents', 'main', 'sessions', `${sessionId}.jsonl`);
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    const entries = lines.map((line) => JSON.parse(line) as { type: string; message?: unknown });
    return entries.filter(({ type }) => type === 'message').map(({ message }) => message);
  }
  const target = JSON.stringify({ agentId: 'main', sessionKey, sessionId });
  return await host.evaluate<unknown[]>(`
    const { readVisibleSessionTranscriptMessageEntries: read } = await import('openclaw/plugin-sdk/session-transcript-runtime');
    const entries = await read(${target});
    process.stdout.write('RESULT ' + JSON.stringify(entries.map((entry) => entry.message)) + '\\n', () => process.exit(0));
  `);
}
