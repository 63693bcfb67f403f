import type { Host } from '../../src-main/host.ts';
import { expect, expectEqual, type Checks } from './checks.ts';
import { daemonApi } from './daemon-api.ts';
import type { Filled } from './fill-daemon.ts';
import { sidewaysScroll, unnamedControls, type InspectorPage } from './inspector-page.ts';

/** The list of sessions, and the turns and checkpoints of one. */
export async function checkSessions(
  checks: Checks,
  { page }: InspectorPage,
  host: Host,
  filled: Filled,
): Promise<void> {
  const list = page.getByRole('listbox', { name: 'Sessions' });

  await checks.run('sessions that came while the page was open are there without a reload', async () => {
    await list.getByText(filled.long.session_key, { exact: true }).waitFor();
    await page.getByText('28 sessions').waitFor();
    await list.getByText(filled.awkward.session_key).waitFor();
  });

  await checks.run('what the host keeps for itself is hidden, counted and marked when it is shown', async () => {
    const { session_key: key } = filled.internal;
    expectEqual(await list.getByText(key).count(), 0, 'the rows of it');
    const toggle = page.getByRole('button', { name: '1 host-internal hidden' });
    await toggle.click();
    await list.getByTitle(key, { exact: true }).getByText('host-internal', { exact: true }).waitFor();
    await page.getByText('29 sessions').waitFor();
    await list.getByTitle(key, { exact: true }).click();
    await page.getByText('preparation, not sent').waitFor();
    expectEqual(
      await page.getByRole('listbox', { name: 'Calls, newest first' }).getByRole('option').count(),
      2,
      'the calls',
    );
    await page.goto(`${host.url}/`);
    await page.locator('.newest-call').getByRole('link', { name: filled.long.session_key }).waitFor();
    await page.locator('.recent-sessions').getByText('host-internal', { exact: true }).waitFor();
    const cut = await page
      .locator('.overview')
      .evaluate((element: { scrollWidth: number; clientWidth: number }) => element.scrollWidth - element.clientWidth);
    expectEqual(cut, 0, 'what sticks out at the right');
    await page.goto(`${host.url}/sessions`);
    await page.getByRole('button', { name: '1 host-internal shown' }).click();
    await page.getByText('28 sessions').waitFor();
  });

  await checks.run('/ filters, Escape takes the filter back', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('cron nightly');
    await page.getByText('1 of 28').waitFor();
    expectEqual(await list.getByRole('option').count(), 1, 'the rows that match');
    await page.keyboard.press('Escape');
    await page.getByText('28 sessions').waitFor();
  });

  await checks.run('J and K move, Enter opens, Escape and back return', async () => {
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: /Calls/ }).waitFor();
    expect(/^\/sessions\/[^/]+$/.test(new URL(page.url()).pathname), 'the address of a session');
    await page.keyboard.press('Escape');
    await list.getByText(filled.reset.session_key).waitFor();
    await page.goBack();
    await page.getByRole('tab', { name: /Calls/ }).waitFor();
    await page.goForward();
    expectEqual(new URL(page.url()).pathname, '/sessions', 'the path');
  });

  await checks.run('the log of a session shows its reset, and a turn opens to the host’s own message', async () => {
    await list.getByText(filled.reset.session_key).click();
    await page.getByRole('tab', { name: /Turns/ }).click();
    await page.getByText('Reset here: epoch 1 began').waitFor();
    await page.locator('.turn-line:not(.head)').first().click();
    await page.getByRole('button', { name: 'Host’s message' }).click();
    const shown = (await page.locator('.turn-detail .exact-text').first().textContent()) ?? '';
    const uid = new URL(page.url()).pathname.split('/')[2] ?? '';
    const api = daemonApi(host.url, host.token);
    const turns = await api.get(`/v1/sessions/${uid}/turns?order=desc&raw=true&limit=1`);
    const [turn] = turns['items'] as { raw: unknown }[];
    expectEqual(shown, JSON.stringify(turn?.raw, undefined, 2), 'the shown message');
    await page.screenshot();
  });

  await checks.run('a long log reads on while it is scrolled, and says how much it read', async () => {
    await page.goto(`${host.url}/sessions`);
    await list.getByText(filled.long.session_key, { exact: true }).click();
    await page.getByRole('tab', { name: /Turns/ }).click();
    await page.getByText(/^200 of 1,\d\d\d turns read/).waitFor();
    const tree = page.getByRole('tree', { name: 'Turns' });
    await tree.focus();
    for (let press = 0; press < 3; press += 1) {
      await page.keyboard.press('End');
      await page.getByText(new RegExp(`^${(press + 2) * 200} of 1,`)).waitFor();
    }
    const rows = await tree.getByRole('treeitem').count();
    expect(rows < 80, `few rows in the page at once, got ${rows}`);
  });

  await checks.run('checkpoints open to their texts and identifiers', async () => {
    await page.getByRole('tab', { name: /Checkpoints/ }).click();
    await page.locator('.checkpoint-line:not(.head)').first().click();
    await page.getByRole('heading', { name: 'Summary' }).waitFor();
    await page.getByRole('heading', { name: 'Abstract' }).waitFor();
    await page.getByRole('tab', { name: /^Identifiers/ }).click();
    await page.locator('.identifier-line').first().waitFor();
  });

  await checks.run('markup, directions and invisible characters of a message stay text', async () => {
    await page.goto(`${host.url}/sessions`);
    await list.getByText(filled.awkward.session_key).click();
    await page.getByRole('tab', { name: /Turns/ }).click();
    await page.locator('.turn-line', { hasText: '<script>' }).click();
    await page
      .locator('.exact-text', { hasText: '<script>alert("not run")</script><img src=x onerror=alert(1)> &amp;' })
      .waitFor();
    expectEqual(await page.locator('.exact-text img, .exact-text script').count(), 0, 'elements made of a message');
    await page.locator('.turn-line', { hasText: 'Family test' }).click();
    await page
      .getByText('5 invisible')
      .or(page.getByText(/\d+ invisible/))
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Show invisible' }).last().click();
    await page.locator('.invisible', { hasText: 'RLO' }).first().waitFor();
    await page.locator('.invisible', { hasText: 'ZWSP' }).first().waitFor();
  });

  await checks.run('a message of 200,000 characters is cut with its size said, and shown whole on demand', async () => {
    await page.locator('.turn-line', { hasText: 'Here is the log' }).click();
    const whole = page.getByRole('button', { name: /^Show all 20\d,\d\d\d characters/ });
    await whole.waitFor();
    await whole.click();
    await whole.waitFor({ state: 'detached' });
  });

  await checks.run('nothing scrolls sideways, and every control has a name', async () => {
    for (const width of [1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      expect((await sidewaysScroll(page)) <= 0, `no sideways scrolling at ${width}`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    expectEqual((await unnamedControls(page)).join('\n'), '', 'controls without a name');
  });
}
