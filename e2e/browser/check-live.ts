import type { Host } from '../../src-main/host.ts';
import { uidOf } from './check-calls.ts';
import { expect, expectEqual, type Checks } from './checks.ts';
import { daemonApi } from './daemon-api.ts';
import { assembleOnce, type Filled } from './fill-daemon.ts';
import type { InspectorPage } from './inspector-page.ts';

/** What happens while the page is open: new calls, pausing, a daemon that goes and comes back, a session that ends. */
export async function checkLive(
  checks: Checks,
  { page, allowStatus, allowUnreachable }: InspectorPage,
  host: Host,
  filled: Filled,
  stopHost: () => Promise<() => Promise<Host>>,
): Promise<void> {
  let api = daemonApi(host.url, host.token);
  const uid = await uidOf(api, filled.long);
  const list = page.getByRole('listbox', { name: 'Calls, newest first' });
  const newCall = (prompt: string) => assembleOnce(api, filled.long, { budget: 32_000, prompt, usage: 1.03 });

  await checks.run('a new call appears by itself, and its usage after it', async () => {
    await page.goto(`${host.url}/sessions/${uid}`);
    await list.getByRole('option').first().waitFor();
    await newCall('first live call');
    const row = list.getByRole('option', { name: /first live call/ });
    await row.waitFor();
    await row.getByText(/^provider [\d,]+/).waitFor();
  });

  await checks.run('a new call does not move what is being read', async () => {
    const scroller = page.locator('.virtual-scroller').last();
    await scroller.evaluate((element: { scrollTop: number }) => {
      element.scrollTop = 300;
    });
    const row = list.getByRole('option').filter({ hasText: 'staging proxy' }).nth(6);
    const before = await row.boundingBox();
    const id = await row.getAttribute('aria-posinset');
    await newCall('second live call');
    await page.getByRole('button', { name: /^1 new/ }).waitFor();
    const after = await list.locator(`[aria-posinset="${Number(id) + 1}"]`).boundingBox();
    expectEqual(Math.round(after?.y ?? -1), Math.round(before?.y ?? -2), 'the place of the row that is read');
    await page.getByRole('button', { name: /^1 new/ }).click();
    await list.getByRole('option', { name: /second live call/ }).waitFor();
  });

  await checks.run('paused, changes are held back and counted; resumed, they are shown', async () => {
    await page.getByRole('button', { name: 'Live' }).click();
    await newCall('call while paused');
    const held = page.getByRole('button', { name: /Paused · \d+ held back/ });
    await held.waitFor();
    expectEqual(await list.getByRole('option', { name: /call while paused/ }).count(), 0, 'held rows that are shown');
    await held.click();
    await list.getByRole('option', { name: /call while paused/ }).waitFor();
  });

  await checks.run('a daemon that goes is noticed, and what it did since is there when it is back', async () => {
    allowUnreachable(true);
    const startAgain = await stopHost();
    await page.getByText(/^Disconnected/).waitFor();
    const restarted = await startAgain();
    api = daemonApi(restarted.url, restarted.token);
    await newCall('call after the restart');
    await page
      .getByText(/^Disconnected/)
      .click({ timeout: 2_000 })
      .catch(() => undefined);
    await list.getByRole('option', { name: /call after the restart/ }).waitFor();
    await page.getByRole('button', { name: 'Live' }).waitFor();
    allowUnreachable(false);
  });

  await checks.run('a session that ended is said kindly, without a form', async () => {
    allowStatus(401);
    await page.evaluate(`localStorage.setItem('strata.session', 'no longer valid')`);
    await page.reload();
    await page.getByText('This page’s session has ended').waitFor();
    await page.getByText('npm run strata -- open').waitFor();
    expect((await page.locator('input').count()) === 0, 'no field');
  });
}
