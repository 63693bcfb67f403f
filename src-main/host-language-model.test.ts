import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compactRoute } from '../src-shared/protocol/compact.ts';
import { sessionCheckpointsRoute } from '../src-shared/protocol/sessions.ts';
import { commitTurnRoute } from '../src-shared/protocol/turns.ts';
import { scriptedWriter } from './engine/compact/testing/scripted-writer.ts';
import { startHost } from './host.ts';
import { createDaemonClient } from './http/client/daemon-client.ts';
import { temporaryDirectory } from './http/testing/temporary-directory.ts';
import type { LogFields, Logger } from './logger.ts';
import { openModelServer, type ScriptedAnswer, type Asked } from './providers/language-model/testing/model-server.ts';

const identity = { session_id: 's1', session_key: 'agent:main:main', format: 'openai' } as const;
const key = 'sk-very-secret';

/** A daemon whose config.yaml names an endpoint, and a session of thirty turns that is compacted over HTTP. */
async function compacted(answer: (asked: Asked) => ScriptedAnswer) {
  const server = await openModelServer(answer);
  const dataDir = await temporaryDirectory();
  await writeFile(
    join(dataDir, 'config.yaml'),
    `compaction:\n  summariser: openai-compatible\nlanguage_model:\n  base_url: ${server.url}\n  model: scripted-1\n  api_key: ${key}\n  retries: 0\n`,
  );
  const logged: string[] = [];
  const note = (message: string, fields?: LogFields): void => void logged.push(JSON.stringify([message, fields]));
  const logger: Logger = { debug: note, info: note, warn: note, error: note };
  const host = await startHost({ dataDir, port: 0, mode: 'headless', version: '1.0.0', logger });
  onTestFinished(async () => host.close());
  const client = createDaemonClient({ dataDir });
  for (let n = 1; n <= 30; n += 1) {
    const messages = [
      {
        role: 'user',
        content: `Please look at src/file${n}.ts, the part about the nightly backup is slow. ${'It is slow every night. '.repeat(10)}`,
      },
      {
        role: 'assistant',
        content: `I fixed the nightly backup of part ${n}; it takes a minute now. ${'The tests pass again. '.repeat(10)}`,
      },
    ];
    await client.call(commitTurnRoute, { body: { ...identity, advancement_key: `t${n}`, messages } });
  }
  const reply = await client.call(compactRoute, { body: { ...identity, force: true } });
  const { items } = await client.call(sessionCheckpointsRoute, { params: { id: 's1' }, query: {} });
  return { reply, checkpoint: items[0], server, logged, dataDir };
}

describe('S66: language_model in config.yaml', () => {
  it('S88: its endpoint writes the summaries of the daemon, and the checkpoint says so', async () => {
    const { reply, checkpoint, server, dataDir } = await compacted(({ prompt }) => scriptedWriter(prompt));
    expect(reply).toMatchObject({ ok: true, compacted: true });
    expect(checkpoint).toMatchObject({
      summariser: 'openai-compatible',
      model: 'scripted-1',
      prompt_version: 'compaction@1',
    });
    expect(server.asked[0]?.headers.authorization).toBe(`Bearer ${key}`);
    expect(server.asked[0]?.prompt).toContain('src/file1.ts');
    expect(await readFile(join(dataDir, 'model-usage.json'), 'utf8')).toContain('tokens');
  });

  it('H30: when it fails the session is compacted all the same, and neither key nor prompt is logged', async () => {
    const { reply, checkpoint, logged } = await compacted(() => ({ status: 500 }));
    expect(reply).toMatchObject({ ok: true, compacted: true });
    expect(checkpoint).toMatchObject({
      summariser: 'extractive',
      fallback: { from: 'openai-compatible', reason: expect.stringContaining('model_unavailable') as string },
    });
    expect(logged.join('\n')).not.toMatch(/sk-very-secret|nightly backup/);
  });
});
