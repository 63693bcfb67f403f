import { expect, it } from 'vitest';
import { assemble, commit } from '../assemble/testing/assemble-session.ts';
import { openEngineFixture } from '../testing/engine-fixture.ts';
import { assistantMessage, mainSession, toolCallMessage, toolResultMessage, userMessage } from '../testing/messages.ts';

const conversation = [
  userMessage('部署失败的原因是什么？', 1),
  toolCallMessage('c1', 2, { 查询: '错误日志'.repeat(40) }),
  toolResultMessage('c1', '한국어 로그 🙂 '.repeat(60), 3),
  assistantMessage('設定ファイルが古いようです。', 4),
  ...Array.from({ length: 20 }, (_, n) => userMessage(`第${n}个问题：${'日本語のテキスト'.repeat(30)}`, 10 + n)),
];

it('S38: a turn costs the same in the log, in a call, on the way in and in a compaction', async () => {
  const fixture = await openEngineFixture();
  const live = await assemble(fixture, { messages: conversation });
  await commit(fixture, conversation);
  const stored = await assemble(fixture, { messages: conversation });
  const query = { limit: '1000' };
  const { items } = await fixture.send('sessionTurns', { params: { id: mainSession.session_id }, query });
  const logged = items.toSorted((a, b) => a.turn.sequence - b.turn.sequence).map(({ tokens }) => tokens);
  // In a trace the newest come first.
  for (const { trace } of [live, stored]) expect(trace.items.map(({ tokens }) => tokens).toReversed()).toEqual(logged);
  await fixture.send('compact', { body: { ...mainSession, force: true, trigger: 'manual' } });
  const { items: checkpoints } = await fixture.send('sessionCheckpoints', { params: { id: mainSession.session_id } });
  const range = checkpoints[0]?.source_turn_range ?? { start_sequence: 1, end_sequence: 0 };
  const archived = logged.slice(range.start_sequence - 1, range.end_sequence);
  expect(archived.length).toBeGreaterThan(0);
  expect(checkpoints[0]?.source_tokens).toBe(archived.reduce((sum, tokens) => sum + tokens, 0));
});
