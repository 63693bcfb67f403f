import type { Host } from '../../src-main/host.ts';
import { expect, expectEqual, type Checks } from './checks.ts';
import { daemonApi } from './daemon-api.ts';
import { indexed, type FilledMemory } from './fill-memory.ts';
import { sidewaysScroll, unnamedControls, type InspectorPage } from './inspector-page.ts';

/** A question to memory with everything that was decided about it, and the search over everything. */
export async function checkRecall(
  checks: Checks,
  inspector: InspectorPage,
  host: Host,
  filled: FilledMemory,
): Promise<void> {
  const { page } = inspector;
  const api = daemonApi(host.url, host.token);
  await indexed(api, 'kestrel gateway port', filled.proxy);
  await indexed(api, 'zanzibar ledger', '/turn/');
  const candidates = page.getByRole('tree', { name: 'Candidates, best first' });

  await checks.run('a question shows its intent, its terms, and what would be packed', async () => {
    await page.goto(`${host.url}/recall`);
    await page.getByRole('heading', { name: 'Ask memory what it would give the model' }).waitFor();
    await page.getByLabel('Question').fill('Which port does the kestrel gateway listen on?');
    await page.keyboard.press('Enter');
    await page.getByText(/of \d+ candidates? packed/).waitFor();
    expect(page.url().includes('q=Which+port'), 'the question in the address');
    await page.locator('.recall-terms').getByText('port').first().waitFor();
    const first = candidates.getByRole('treeitem').first();
    await first.getByText('Packed').waitFor();
    await first.getByRole('img', { name: /^Score (?:0\.\d+|1(?:\.0+)?): / }).waitFor();
    await page.getByLabel('Parts of the score').getByText(/./).first().waitFor();
    expectEqual((await unnamedControls(page)).join('\n'), '', 'controls without a name');
  });

  await checks.run('a candidate opens to its parts and leads to its page', async () => {
    await candidates.getByRole('treeitem').filter({ hasText: 'Kestrel gateway' }).first().click();
    await page.locator('.parts-table').getByText('Score').waitFor();
    await page.getByRole('link', { name: 'Open the page' }).first().click();
    await page.locator('.page-detail').waitFor();
    await page.goBack();
    await page.getByText(/of \d+ candidates? packed/).waitFor();
  });

  await checks.run('a lower limit leaves candidates out, each with its reason', async () => {
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByLabel('Limit').fill('1');
    await page.getByRole('button', { name: 'Recall', exact: true }).click();
    await page.waitForURL(/limit=1/);
    await page.getByRole('button', { name: /^Left out [1-9]/ }).click();
    await candidates
      .getByText(/over the limit of 1 result|below the threshold|says the same/)
      .first()
      .waitFor();
    expectEqual(await candidates.getByText('Packed', { exact: true }).count(), 0, 'packed ones among those left out');
    await page.reload();
    expectEqual(await page.getByLabel('Limit').inputValue(), '1', 'the limit after a reload');
    await page.getByText(/of \d+ candidates? packed/).waitFor();
  });

  await checks.run('a question that memory knows nothing of says so', async () => {
    await page.goto(`${host.url}/recall?q=qwertyuiop+zxcvbnm`);
    await page
      .locator('.recall-outcome')
      .getByText(/^(?:Nothing in memory matches|Abstained)/)
      .waitFor();
  });

  await checks.run(
    'what the agent was told to remember is judged on record, leads to its page, and is undone',
    async () => {
      await api.post('/v1/tools/memory_store', {
        ...filled.conversation,
        text: 'Remember that I prefer window seats on long flights.',
      });
      await page.goto(`${host.url}/memory/operations`);
      const operations = page.getByRole('tree', { name: 'Operations, newest first' });
      const first = operations.getByRole('treeitem').filter({ hasText: 'window seats' }).filter({ hasText: 'Added' });
      await first.getByText('Added').waitFor();
      await first.click();
      await first.getByRole('heading', { name: 'Gates' }).waitFor();
      await first.getByRole('button', { name: 'Undo' }).click();
      await first.getByText(/^Undone/).waitFor();
      await page.getByRole('button', { name: 'Refused' }).click();
      await page.getByText('No operation matches the filter.').waitFor();
      await page.goBack();
    },
  );

  await checks.run('the search finds pages and turns from everywhere, and leads to them', async () => {
    await page.goto(`${host.url}/jobs`);
    await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('zanzibar ledger');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${host.url}/search?q=zanzibar+ledger`);
    const results = page.getByRole('listbox', { name: 'Search results, best first' });
    await results.locator('mark').first().waitFor();
    await results.getByRole('option').filter({ hasText: 'zanzibar' }).first().click();
    await page.waitForURL(/\/turns\?turn=1$/);
    await page.locator('.virtual-row.selected').getByText('zanzibar').first().waitFor();
    await page.goBack();
    await page.waitForURL(/\/search/);
    await page.getByLabel('Search everything').fill('espresso kestrel gateway');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Pages/ }).click();
    await results.getByRole('option').filter({ hasText: 'Kestrel gateway' }).first().click();
    await page.locator('.page-detail').waitFor();
    for (const width of [1920, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect((await sidewaysScroll(page)) <= 0, `no sideways scrolling at ${width}`);
    }
  });
}
