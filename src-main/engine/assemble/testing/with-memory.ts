import { expect } from 'vitest';
import type { HostMessage } from '../../../../src-shared/protocol/host-message.ts';
import { openEngineFixture, type EngineFixture, type FixtureOptions } from '../../testing/engine-fixture.ts';
import { said } from './assemble-session.ts';

/** An engine whose calls recall. */
export async function openWithRecall(options: FixtureOptions = {}): Promise<EngineFixture> {
  const recall = { enabled: true, deadline_ms: 5_000, ...options.config?.recall };
  const assemble = { deadline_ms: 20_000, ...options.config?.assemble };
  return openEngineFixture({ ...options, config: { ...options.config, recall, assemble } });
}

/** A memory page, on disk and in the index. */
export async function remember(fixture: EngineFixture, uri: string, content: string): Promise<void> {
  await fixture.send('savePage', { params: { uri }, body: { content } });
  await indexed(fixture);
}

/** The index has what was written so far. */
export async function indexed(fixture: EngineFixture): Promise<void> {
  const backlog = async () => (await fixture.parts.memoryIndex.state()).backlog;
  await expect.poll(backlog, patience).toBe(0);
}

const patience = { timeout: 20_000, interval: 20 };

export function preference(title: string, truth: string, more = ''): string {
  return `---\ntitle: ${title}\nkind: preference\nabstract: ${truth}\n${more}---\n\n# ${title}\n\n${truth}\n`;
}

/** The messages of ours that bring what was recalled. */
export function recallIn(messages: readonly HostMessage[]): readonly HostMessage[] {
  return messages.filter((message) => JSON.stringify(message).includes('source=\\"recall\\"') || isCall(message));
}

function isCall(message: HostMessage): boolean {
  return JSON.stringify(message).includes('"memory_recall_auto"');
}

export function recalledText(messages: readonly HostMessage[]): string {
  return recallIn(messages).map(said).join('\n');
}
