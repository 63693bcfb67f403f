import { expect, it } from 'vitest';
import { sessionBundleSchema } from '../../../src-shared/protocol/bundle.ts';
import { assemble, commit } from '../assemble/testing/assemble-session.ts';
import { openEngineFixture } from '../testing/engine-fixture.ts';
import { assistantMessage, mainSession, userMessage } from '../testing/messages.ts';

it('a bundle has the session with its calls, and secrets only where they were asked for', async () => {
  const fixture = await openEngineFixture({ config: { assemble: { deadline_ms: 20_000 } } });
  const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ456789';
  const messages = [userMessage(`Deploy with the token ${secret}, please.`, 1), assistantMessage('Done.', 2)];
  await commit(fixture, messages);
  const { trace } = await assemble(fixture, { messages });
  const ask = (query: { redact?: 'true' | 'false'; turns?: string }) =>
    fixture.send('bundle', { params: { id: mainSession.session_id }, query });
  const bundle = await ask({});
  expect(() => sessionBundleSchema.parse(JSON.parse(JSON.stringify(bundle)))).not.toThrow();
  expect(JSON.stringify(bundle)).not.toContain(secret);
  expect(JSON.stringify(bundle.turns)).toContain('Deploy with the token [secret]');
  expect(bundle.masked['token']).toBeGreaterThan(0);
  expect(bundle.calls.map((call) => call.trace.output_hash)).toEqual([trace.output_hash]);
  expect(bundle.calls[0]?.messages?.messages).toHaveLength(2);
  expect(bundle.truncated).toEqual([]);
  expect(JSON.stringify(await ask({ redact: 'false' }))).toContain(secret);
  expect((await ask({ turns: '1' })).truncated).toEqual([{ what: 'turns', kept: 1, of: 2 }]);
}, 60_000);
