import type { Host } from '../../src-main/host.ts';
import { expectEqual, expect, type Checks } from './checks.ts';
import { sidewaysScroll, unnamedControls, type InspectorPage } from './inspector-page.ts';
import type { PutJobs } from './put-jobs.ts';

/** Background work: noticed from everywhere, listed, filtered, looked into, tried again and cancelled. */
export async function checkJobs(checks: Checks, inspector: InspectorPage, host: Host, jobs: PutJobs): Promise<void> {
  const { page } = inspector;
  const list = page.getByRole('listbox', { name: 'Jobs, newest first' });

  await checks.run('work that gave up is noticed from everywhere, and the alarm leads to it', async () => {
    await page.goto(`${host.url}/`);
    await page.getByRole('link', { name: 'open these jobs' }).waitFor();
    await page.getByRole('link', { name: 'Jobs gave up' }).click();
    expectEqual(page.url(), `${host.url}/jobs?state=dead`, 'the address');
    expectEqual(await list.getByRole('option').count(), 1, 'the jobs that gave up');
    await page.getByRole('link', { name: /^Jobs\s*some gave up$/ }).waitFor();
  });

  await checks.run('a job shows its error, its attempts and what it was told', async () => {
    await list.getByRole('option').first().click();
    expectEqual(new URL(page.url()).pathname, `/jobs/${jobs.dead}`, 'the path');
    await page
      .locator('.notice')
      .getByText(/disk_full: .* Free some space/)
      .waitFor();
    expectEqual(await page.locator('.attempts tbody tr').count(), 3, 'the attempts');
    await page.getByRole('cell', { name: 'took too long' }).waitFor();
    await page.locator('.job-detail .exact-text').getByText('"trigger": "budget"').waitFor();
    expectEqual((await unnamedControls(page)).join('\n'), '', 'controls without a name');
  });

  await checks.run('trying again does it, live, and the alarm goes', async () => {
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.job-detail').getByText('Succeeded', { exact: true }).waitFor();
    await page.locator('.job-detail').getByText('"compacted"').waitFor();
    await page.locator('.job-detail').getByText('nothing to do', { exact: true }).waitFor();
    await page
      .locator('.notice')
      .getByText(/^Nothing to do: /)
      .waitFor();
    await page.getByRole('link', { name: 'Jobs gave up' }).waitFor({ state: 'detached' });
    expectEqual(await page.locator('.attempts tbody tr').count(), 4, 'the attempts');
  });

  await checks.run('a job that waits is cancelled and tried again; the list follows', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('j');
    await page.waitForURL(`${host.url}/jobs`);
    await list.getByText(/^waits until .* for OpenClaw’s model$/).waitFor();
    await page.getByRole('button', { name: 'Queued' }).click();
    await list.getByRole('option').first().click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('.job-detail').getByText('Cancelled').first().waitFor();
    await page.getByRole('heading', { name: 'No job matches' }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.job-detail').getByText('Succeeded').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Succeeded' }).click();
    await list.getByRole('option').nth(1).waitFor();
    for (const width of [1920, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect((await sidewaysScroll(page)) <= 0, `no sideways scrolling at ${width}`);
    }
  });

  await checks.run('a filter without a match and a job that is not there say so', async () => {
    await page.goto(`${host.url}/jobs?state=running`);
    await page.getByText('There is no job in the state “running”.').waitFor();
    inspector.allowStatus(404);
    await page.goto(`${host.url}/jobs/no-such-job`);
    await page.getByText('The job could not be read').waitFor();
    await page.getByText(/retention.jobs_days/).waitFor();
    inspector.allowStatus();
  });
}
