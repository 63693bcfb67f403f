import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { assemble, commit, said } from '../../engine/assemble/testing/assemble-session.ts';
import { openEngineFixture } from '../../engine/testing/engine-fixture.ts';
import { assistantMessage, userMessage } from '../../engine/testing/messages.ts';

const size = 12_000_000;

it('a turn with a picture of nine million bytes is stored, and given back as it came', async () => {
  const fixture = await openEngineFixture();
  const data = randomBytes(size * 0.75).toString('base64');
  const picture = { ...userMessage('', 1), content: [{ type: 'image', mimeType: 'image/png', data }] };
  await commit(fixture, [picture, assistantMessage('A noisy one.', 2)]);
  const { messages } = await assemble(fixture, { history: 'window', token_budget: 100_000_000 });
  expect(JSON.stringify(messages[0]?.content) === JSON.stringify(picture.content)).toBe(true);
});

it.each([
  ['hex', randomBytes(size / 2).toString('hex')],
  ['digits', '0123456789'.repeat(size / 10)],
  ['one letter', 'a'.repeat(size + 1)],
])('a turn with one line of twelve million characters is stored: %s', async (_, line) => {
  const fixture = await openEngineFixture();
  await commit(fixture, [userMessage(line, 1), assistantMessage('That is long.', 2)]);
  const { messages } = await assemble(fixture, { history: 'window', token_budget: 100_000_000 });
  expect(said(messages[0]) === line).toBe(true);
});
