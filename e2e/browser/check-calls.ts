import type { Page } from 'playwright-core';
import type { Host } from '../../src-main/host.ts';
import { expect, expectEqual, type Checks } from './checks.ts';
import { daemonApi, type DaemonApi } from './daemon-api.ts';
import type { Conversation, Filled } from './fill-daemon.ts';
import { sidewaysScroll, unnamedControls, type InspectorPage } from './inspector-page.ts';

interface Listed {
  readonly session_uid: string;
  readonly session_id: string;
}

/** The calls of a session, the decisions of one, and the messages that it sent. */
export async function checkCalls(checks: Checks, { page }: InspectorPage, host: Host, filled: Filled): Promise<void> {
  const api = daemonApi(host.url, host.token);
  const uid = await uidOf(api, filled.long);
  const calls = (await api.get(`/v1/sessions/${uid}/calls`))['items'] as { call_id: string }[];
  const newest = calls[0]?.call_id ?? '';
  const trace = (await api.get(`/v1/calls/${newest}`))['trace'] as {
    decisions: { seq: number; action: string; item: string }[];
    output: { item: string }[];
  };

  await checks.run('calls stand newest first with their bars, estimates and the provider’s numbers', async () => {
    await page.goto(`${host.url}/sessions/${uid}`);
    const rows = page.getByRole('listbox', { name: 'Calls, newest first' }).getByRole('option');
    await rows.first().waitFor();
    await page
      .getByRole('img', { name: /of 24,000 tokens/ })
      .first()
      .waitFor();
    await page
      .getByText(/^≈ [\d,]+$/)
      .first()
      .waitFor();
    await page
      .getByText(/^provider/)
      .first()
      .waitFor();
    await rows.first().click();
    await page.getByRole('treegrid', { name: 'Decisions' }).waitFor();
    expectEqual(new URL(page.url()).pathname, `/sessions/${uid}/calls/${newest}`, 'the path');
  });

  await checks.run('every decision is listed, and counted by what became of it', async () => {
    const grid = page.getByRole('treegrid', { name: 'Decisions' });
    expectEqual(await grid.getAttribute('aria-rowcount'), String(trace.decisions.length), 'the number of rows');
    await page.getByRole('button', { name: /^Left out/ }).click();
    const dropped = trace.decisions.filter((decision) => decision.action === 'dropped').length;
    expectEqual(await grid.getAttribute('aria-rowcount'), String(dropped), 'the rows that were left out');
    await page.locator('.decision.dropped .column-reason').first().waitFor();
    expectEqual(await page.locator('.decision.included').count(), 0, 'included rows among those left out');
    await page.getByRole('button', { name: /^Left out/ }).click();
  });

  await checks.run('the table sorts by tokens and filters by text', async () => {
    const head = page.getByRole('button', { name: /^Sort by Tokens/ });
    await head.click();
    await head.click();
    await page.getByRole('button', { name: /^Sort by Tokens, now/ }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('no such words anywhere');
    await page.getByText(/No decision matches the filter/).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText(/No decision matches/).waitFor({ state: 'detached' });
  });

  await checks.run(
    'arrow keys step through decisions, Enter opens the message, the address names the step',
    async () => {
      await page.goto(`${host.url}/sessions/${uid}/calls/${newest}`);
      const grid = page.getByRole('treegrid', { name: 'Decisions' });
      await grid.focus();
      for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.locator('.decision-sentence').waitFor();
      expectEqual(new URL(page.url()).searchParams.get('step'), '2', 'the step in the address');
      await page.locator('.decision-detail').getByRole('button', { name: 'JSON' }).click();
      const shown = (await page.locator('.decision-detail .exact-text').textContent()) ?? '';
      const item = trace.decisions[2]?.item;
      const sent = (await api.get(`/v1/calls/${newest}/messages`))['messages'] as { item: string; message: unknown }[];
      const message = sent.find((entry) => entry.item === item)?.message;
      expectEqual(shown, JSON.stringify(message, undefined, 2), 'the shown message');
    },
  );

  await checks.run('a deep link to a step opens it and brings it into view, however far down it is', async () => {
    const last = trace.decisions.at(-1)?.seq ?? 0;
    await page.goto(`${host.url}/sessions/${uid}/calls/${newest}?step=${last}`);
    await page.locator('.decision.open').waitFor();
    await page.locator('.decision-sentence').waitFor();
    // Only looks: an action of the test would scroll there by itself.
    await page.waitForFunction(`(() => {
      const box = document.querySelector('.decision.open .decision-sentence')?.getBoundingClientRect();
      return box !== undefined && box.top >= 0 && box.bottom <= window.innerHeight;
    })()`);
  });

  await checks.run('the messages that were sent stand in their order', async () => {
    await page.getByRole('tab', { name: /Messages sent/ }).click();
    await page
      .getByText(`${trace.output.length.toLocaleString('en-US')} messages in the order of the answer`)
      .waitFor();
    await page.locator('.sent .exact-text').first().waitFor();
    expectEqual(new URL(page.url()).searchParams.get('view'), 'messages', 'the view in the address');
  });

  await checks.run('[ and ] go to the older and the newer call, J and K move in the list', async () => {
    await page.keyboard.press('[');
    await page.waitForURL((url) => url.pathname.endsWith(calls[1]?.call_id ?? '?'));
    await page.keyboard.press(']');
    await page.waitForURL((url) => url.pathname.endsWith(newest));
    await page.keyboard.press('j');
    await page.waitForURL((url) => url.pathname.endsWith(calls[1]?.call_id ?? '?'));
  });

  await checks.run('a degraded call says why, and a trimmed turn is half', async () => {
    await openNewestCall(page, host, api, filled.degraded);
    await page.locator('.degraded').waitFor();
    await openCall(page, host, api, filled.awkward, 1);
    await page
      .getByText(/the newest turn alone is larger than the budget/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: /^Trimmed 1/ }).waitFor();
  });

  await checks.run('what was left out is read from the log', async () => {
    await page.locator('.decision.dropped').first().click();
    await page.locator('.decision-detail .exact-text').waitFor();
  });

  await checks.run('explanations come on focus, help on ?, and the theme changes', async () => {
    // Explanations come for the keyboard's focus, not for a click's.
    await page.keyboard.press('Tab');
    await page.locator('.explained').first().focus();
    await page.locator('.tooltip').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys, marks and words' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' });
    expectEqual((await unnamedControls(page)).join('\n'), '', 'controls without a name');
    for (const width of [1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      expect((await sidewaysScroll(page)) <= 0, `no sideways scrolling at ${width}`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await checks.run('an address that leads nowhere says so', async () => {
    await page.goto(`${host.url}/dreams`);
    await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor();
  });
}

export async function uidOf(api: DaemonApi, who: Conversation): Promise<string> {
  const sessions = (await api.get('/v1/sessions?limit=200'))['items'] as Listed[];
  const found = sessions.find((session) => session.session_id === who.session_id);
  expect(found !== undefined, `a session ${who.session_id}`);
  return found.session_uid;
}

function openNewestCall(page: Page, host: Host, api: DaemonApi, who: Conversation): Promise<void> {
  return openCall(page, host, api, who, 0);
}

async function openCall(page: Page, host: Host, api: DaemonApi, who: Conversation, index: number): Promise<void> {
  const uid = await uidOf(api, who);
  const calls = (await api.get(`/v1/sessions/${uid}/calls`))['items'] as { call_id: string }[];
  await page.goto(`${host.url}/sessions/${uid}/calls/${calls[index]?.call_id ?? ''}`);
  await page.getByRole('treegrid', { name: 'Decisions' }).waitFor();
}
