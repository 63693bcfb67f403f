import type { Host } from '../../src-main/host.ts';
import { uidOf } from './check-calls.ts';
import { expect, expectEqual, type Checks } from './checks.ts';
import { daemonApi } from './daemon-api.ts';
import type { Filled } from './fill-daemon.ts';
import { sidewaysScroll, unnamedControls, type InspectorPage } from './inspector-page.ts';

/** A call looked at more closely: step by step, as a table, against another call, and as the provider’s cache sees it. */
export async function checkInspection(
  checks: Checks,
  { page }: InspectorPage,
  host: Host,
  filled: Filled,
): Promise<void> {
  const api = daemonApi(host.url, host.token);
  const uid = await uidOf(api, filled.long);
  const calls = (await api.get(`/v1/sessions/${uid}/calls`))['items'] as {
    call_id: string;
    estimated_tokens: number;
  }[];
  const newest = calls[0]?.call_id ?? '';
  const trace = (await api.get(`/v1/calls/${newest}`))['trace'] as {
    decisions: { seq: number; action: string; item: string; budget_left: number }[];
    items: { item: string; count: number }[];
  };
  const base = `${host.url}/sessions/${uid}/calls/${newest}`;
  const last = trace.decisions.length;
  const atStep = (step: number) => page.getByText(new RegExp(`^Step ${step} of ${last}$`)).waitFor();

  await checks.run('the steps of a call are walked with the arrow keys, and the address follows', async () => {
    await page.goto(`${base}?view=steps`);
    await atStep(1);
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowRight');
    await atStep(4);
    await page.waitForURL((url) => url.searchParams.get('step') === '3');
    await page.keyboard.press('ArrowLeft');
    await atStep(3);
    await page.getByRole('button', { name: 'Last decision' }).click();
    await atStep(last);
    await page.getByRole('button', { name: 'First decision' }).click();
    await atStep(1);
    await page.getByRole('button', { name: 'Next decision' }).click();
    await atStep(2);
  });

  await checks.run('a link to a step stands there, with the window so far and what is left', async () => {
    await page.goto(`${base}?view=steps&step=5`);
    await atStep(6);
    const sent = trace.decisions.filter(({ seq, action }) => seq <= 5 && action !== 'dropped').length;
    await page.getByText(new RegExp(`^${sent} items · ≈`)).waitFor();
    const left = trace.decisions[5]?.budget_left.toLocaleString('en-US') ?? '?';
    await page.locator('.step-values').getByText(left, { exact: true }).first().waitFor();
  });

  await checks.run('one runs on to what was left out and to an item; what is not there is said', async () => {
    await page.getByRole('button', { name: 'Next left out' }).click();
    const first = trace.decisions.findIndex(({ action }) => action === 'dropped');
    await atStep(first + 1);
    await page.locator('.step-decision.dropped').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('no such words');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('No decision: “no such words”').waitFor();
    await page.keyboard.press('Escape');
  });

  await checks.run('twenty steps in a row arrive at the twenty-first, and say how long one took', async () => {
    await page.goto(`${base}?view=steps`);
    await atStep(1);
    const times = await page.evaluate<number[]>(`(async () => {
      const button = document.querySelector('[aria-label="Next decision"]');
      const times = [];
      for (let step = 0; step < 20; step += 1) {
        const before = performance.now();
        button.click();
        await Promise.resolve();
        times.push(performance.now() - before);
        await new Promise(requestAnimationFrame);
      }
      return times;
    })()`);
    times.sort((one, other) => one - other);
    console.log(`      a step: median ${times[10]?.toFixed(1)} ms`);
    await atStep(21);
  });

  await checks.run('what was left out names the least budget that would have sent it, or why none does', async () => {
    const alone = new Set(trace.items.filter(({ count }) => count === 1).map(({ item }) => item));
    const seq = trace.decisions.find(({ action, item }) => action === 'dropped' && alone.has(item))?.seq ?? -1;
    await page.goto(`${base}?step=${seq}`);
    await page.getByRole('button', { name: 'Least budget that sends it' }).click();
    await page.getByText(/tokens would have sent it|No budget sends it/).waitFor();
  });

  await checks.run('the window stands as a table, sorted and in groups', async () => {
    await page.goto(`${base}?view=window`);
    const list = page.getByRole('listbox', { name: 'Items of the window' });
    await list.getByRole('option').first().waitFor();
    await page.getByRole('button', { name: 'Sort by Tokens' }).click();
    await page.getByRole('button', { name: 'Sort by Tokens, now descending' }).waitFor();
    await page.getByRole('button', { name: 'By kind', exact: true }).click();
    await list.locator('.window-line.group').first().waitFor();
  });

  await checks.run('two calls are compared item by item, with their texts on demand', async () => {
    await page.getByRole('tab', { name: 'Diff' }).click();
    await page.getByText('the call before').waitFor();
    const rows = page.getByRole('tree', { name: 'Items that differ' });
    await rows.getByRole('treeitem').first().click();
    await page
      .getByRole('button', { name: /^(Show the text|Compare the texts)$/ })
      .first()
      .click();
    await page.locator('.diff-detail').locator('.exact-text, .diff').first().waitFor();
    const other = calls.at(-1)?.call_id ?? '';
    await page.getByRole('combobox', { name: 'Against' }).selectOption(other);
    await page.waitForURL((url) => url.searchParams.get('against') === other);
    await page.getByText('Budget 64,000 → 24,000').waitFor();
  });

  await checks.run('the back button returns to the part of the call that was looked at before', async () => {
    await page.goBack();
    await page.waitForURL((url) => url.searchParams.get('view') === 'diff' && !url.searchParams.has('against'));
    await page.goBack();
    await page.getByRole('listbox', { name: 'Items of the window' }).waitFor();
  });

  await checks.run('the cache view names the stable prefix and what the provider read', async () => {
    await page.getByRole('tab', { name: 'Cache' }).click();
    await page.getByRole('heading', { name: 'Stable prefix' }).waitFor();
    await page.getByRole('img', { name: /of the list is the same as in the call before/ }).waitFor();
    await page
      .getByRole('listbox', { name: 'Cache over the calls, newest first' })
      .getByRole('option')
      .first()
      .waitFor();
  });

  await checks.run('the budget over time opens its calls with the keyboard', async () => {
    await page.goto(`${host.url}/sessions/${uid}`);
    const chart = page.getByRole('listbox', { name: /^Budget over time/ });
    await chart.getByRole('option').first().waitFor();
    await chart.focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname.includes('/calls/'));
    expect(!new URL(page.url()).pathname.endsWith(newest), 'an older call');
  });

  await checks.run(
    'each part of a call fits at 1280 and 1920 in both themes, and every control has a name',
    async () => {
      for (const view of ['steps', 'window', 'diff', 'cache']) {
        for (const [width, colorScheme] of [
          [1280, 'light'],
          [1920, 'dark'],
        ] as const) {
          await page.setViewportSize({ width, height: 800 });
          await page.emulateMedia({ colorScheme });
          await page.goto(`${base}?view=${view}`);
          await page.getByRole('tab', { selected: true }).waitFor();
          expect((await sidewaysScroll(page)) <= 0, `no sideways scrolling of ${view} at ${width}`);
          expectEqual((await unnamedControls(page)).join('\n'), '', `controls without a name in ${view}`);
        }
      }
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.emulateMedia({ colorScheme: 'light' });
    },
  );
}
