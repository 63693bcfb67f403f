import { expect, it } from 'vitest';
import { assemble, commit } from '../assemble/testing/assemble-session.ts';
import { openWithRecall, preference, remember } from '../assemble/testing/with-memory.ts';
import { openEngineFixture } from '../testing/engine-fixture.ts';
import { conversation } from '../testing/messages.ts';
import { runCallFixture } from './testing/run-call-fixture.ts';

it('a call copied as a test gives its list in an engine that knows nothing of it', async () => {
  const fixture = await openWithRecall();
  const theme = 'strata://user/default/memories/preferences/editor-theme';
  await remember(fixture, theme, preference('Editor theme', 'The user prefers the dark theme in every editor.'));
  for (let at = 0; at < 20; at += 2) await commit(fixture, conversation(10).slice(at, at + 2));
  const question = { role: 'user', content: 'Which editor theme do I prefer?', timestamp: 1_790_000_000_000 };
  const { trace } = await assemble(fixture, { messages: [...conversation(10), question], token_budget: 3_000 });
  const file: unknown = JSON.parse(JSON.stringify(await fixture.send('fixture', { params: { id: trace.call_id } })));
  const other = await openEngineFixture();
  const again = await runCallFixture(file, other.parts, other.engine.strategies);
  expect(again.trace.output_hash).toBe(trace.output_hash);
  expect(again.trace.decisions).toEqual(trace.decisions);
  expect(again.expected.output_hash).toBe(trace.output_hash);
}, 60_000);
