import type { Browser } from 'playwright-core';
import type { Host } from '../../src-main/host.ts';
import { expect, expectEqual, type Checks } from './checks.ts';
import { openInspectorPage, sidewaysScroll, type InspectorPage } from './inspector-page.ts';

/** The one-time link, the session that it makes, and what the page says without one. */
export async function checkSignIn(
  checks: Checks,
  { page }: InspectorPage,
  browser: Browser,
  host: Host,
): Promise<void> {
  await checks.run('without a link the page says how to get one, and asks for nothing', async () => {
    await page.goto(host.url);
    await page.getByText('Open the inspector from your terminal').waitFor();
    await page.getByText('npm run strata -- open').waitFor();
    expectEqual(await page.locator('input').count(), 0, 'the number of fields');
  });

  const link = await host.inspectorLink();
  await checks.run('a one-time link opens the inspector and its code leaves the address', async () => {
    await page.goto(link);
    await page.getByRole('heading', { name: 'Host link' }).waitFor();
    expectEqual(page.url(), `${host.url}/`, 'the address');
  });

  await checks.run('an empty engine says how to point OpenClaw at it', async () => {
    await page.getByText('npm run strata -- openclaw install').waitFor();
    await page.getByText('No host has called this engine yet.').waitFor();
    await page.getByText('No session yet.').waitFor();
    expect((await sidewaysScroll(page)) <= 0, 'no sideways scrolling at 1280');
  });

  await checks.run('the sessions view is empty with one thing to do', async () => {
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('heading', { name: 'No session yet' }).waitFor();
    expectEqual(new URL(page.url()).pathname, '/sessions', 'the path');
  });

  await checks.run('a reload keeps the session', async () => {
    await page.reload();
    await page.getByRole('heading', { name: 'No session yet' }).waitFor();
  });

  await checks.run('the same link does not work a second time, and the page says so', async () => {
    const other = await openInspectorPage(browser);
    other.allowStatus(401, 403, 404);
    await other.page.goto(link);
    await other.page.getByText('This link was used already, or is too old').waitFor();
    expect(!other.page.url().includes('code='), 'the code to be out of the address');
    const problems = other.takeProblems();
    await other.context.close();
    expectEqual(problems.join('; '), '', 'the complaints of the second page');
  });
}
