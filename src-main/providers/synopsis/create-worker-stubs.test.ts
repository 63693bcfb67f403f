import { expect, it, onTestFinished } from 'vitest';
import { createInlineStubs } from './create-inline-stubs.ts';
import { createWorkerStubs } from './create-worker-stubs.ts';

function started(file?: URL) {
  const stubs = createWorkerStubs(file);
  onTestFinished(() => stubs.close());
  return stubs;
}

const long = Array.from({ length: 20_000 }, (_, at) => `row ${at}: 一切正常\u0000\ud800`).join('\n');
const digest = { content: [{ type: 'text', text: long }], toolName: 'read', synopsisCharacters: 2_000 };
const message = {
  body: JSON.stringify({ role: 'toolResult', toolName: 'read', content: digest.content, isError: false }),
  format: 'openclaw' as const,
  uri: 'strata://session/u/s/turn/1',
  limits: { thresholdCharacters: 8_000, synopsisCharacters: 2_000 },
};

it('the thread makes the same bytes of long texts as the caller would', async () => {
  const [stubs, inline] = [started(), createInlineStubs()];
  expect(await stubs.digest(digest)).toEqual(await inline.digest(digest));
  expect(JSON.stringify(await stubs.ofMessage(message))).toBe(JSON.stringify(await inline.ofMessage(message)));
  expect((await stubs.digest(digest)).stub).toContain('Synopsis: ');
});

it('a long text leaves the caller’s event loop alone: timers run before its synopsis is there', async () => {
  const stubs = started();
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 1);
  await stubs.digest({ ...digest, content: [{ type: 'text', text: long.repeat(20) }] });
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(5);
});

it('a task that fails fails alone', async () => {
  const stubs = started();
  const outcomes = await Promise.allSettled([
    stubs.ofMessage({ ...message, body: 'x'.repeat(200_000) }),
    stubs.ofMessage(message),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

it('a thread that dies fails what it had, and the next task has a new one', async () => {
  const stubs = started(new URL('data:text/javascript,process.exit(1)'));
  for (let time = 0; time < 2; time += 1) {
    await expect(stubs.digest(digest)).rejects.toMatchObject({ code: 'internal' });
  }
});

it('nothing is made after closing, and what was being made ends', async () => {
  const stubs = started();
  const waiting = stubs.digest(digest);
  await stubs.close();
  await expect(waiting).rejects.toMatchObject({ code: 'shutting_down' });
  await expect(stubs.digest(digest)).rejects.toMatchObject({ code: 'shutting_down' });
});
