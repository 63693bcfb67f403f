import type { Page } from 'playwright-core';
import type { Host } from '../../src-main/host.ts';
import type { CheckpointRecord } from '../../src-shared/model/checkpoint.ts';
import { uidOf } from './check-calls.ts';
import { expect, expectEqual, type Checks } from './checks.ts';
import { daemonApi, type DaemonApi } from './daemon-api.ts';
import type { FilledCompactions } from './fill-compactions.ts';
import type { Conversation } from './fill-daemon.ts';
import { sidewaysScroll, unnamedControls, type InspectorPage } from './inspector-page.ts';

/** The compactions of a session: the list, one beside its sources, and what can be done with it. */
export async function checkCheckpoints(
  checks: Checks,
  inspector: InspectorPage,
  host: Host,
  filled: FilledCompactions,
  withCalls: Conversation,
): Promise<void> {
  const { page } = inspector;
  const api = daemonApi(host.url, host.token);
  const uid = await uidOf(api, filled.deep);
  const at = (id: string, query = '') => `${host.url}/sessions/${uid}/checkpoints/${id}${query}`;
  const list = page.getByRole('listbox', { name: 'Checkpoints, newest first' });
  const stored = await checkpointsOf(api, uid);
  const newest = one(stored, (checkpoint) => checkpoint.state === 'stands' && checkpoint.level === 0);
  const condensed = one(stored, (checkpoint) => checkpoint.state === 'stands' && checkpoint.level === 1);
  const folded = one(stored, (checkpoint) => checkpoint.state === 'folded');

  await checks.run('checkpoints stand newest first with state, trigger, tokens and an unexpected writer', async () => {
    await page.goto(`${host.url}/sessions/${uid}/checkpoints`);
    const rows = list.getByRole('option');
    await rows.first().waitFor();
    expectEqual(await rows.count(), stored.length, 'the rows');
    await list.getByText(`into checkpoint ${condensed.archive_index}`).first().waitFor();
    await list.getByText('overflow').first().waitFor();
    await list.getByText('instead of host').first().waitFor();
    await page.getByText('No background compaction since the daemon was started.').waitFor();
    await fits(page, 'the list');
  });

  await checks.run('Enter opens the summary beside its turns, in sections and as exact text', async () => {
    await list.focus();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Checkpoint ${newest.archive_index}`, exact: true }).waitFor();
    expectEqual(new URL(page.url()).pathname, `/sessions/${uid}/checkpoints/${newest.checkpoint_id}`, 'the path');
    await page.getByText(/Not written by “host”, as configured: nobody was there/).waitFor();
    await page.getByRole('heading', { name: /^Exact identifiers/ }).waitFor();
    await page.getByRole('button', { name: 'Exact text' }).click();
    expectEqual(await page.locator('.summary-pane .exact-text').last().textContent(), newest.overview, 'the overview');
    await page.locator('.source-turn').first().waitFor();
    await fits(page, 'the detail');
  });

  await checks.run('turns that the summary does not speak of are marked, and listed alone', async () => {
    await page.getByRole('button', { name: /^Only uncovered/ }).click();
    const count = newest.uncovered_sequences.length;
    const turns = page.getByRole('tree', { name: 'Turns of the checkpoint, oldest first' });
    await page.getByText(`${count} of `).waitFor();
    expectEqual(await turns.getByRole('treeitem').first().getAttribute('aria-setsize'), String(count), 'the turns');
    expectEqual(await page.locator('.source-turn:not(.uncovered)').count(), 0, 'covered turns among them');
    expectEqual(new URL(page.url()).searchParams.get('only'), 'uncovered', 'the filter in the address');
    await page.locator('.source-turn').first().click();
    await turns.getByRole('button', { name: 'Host’s message' }).click();
    const sequence = newest.uncovered_sequences[0] ?? 0;
    const [turn] = (await api.get(`/v1/sessions/${uid}/turns?sequence=${sequence}&raw=true`))['items'] as [
      { raw: unknown },
    ];
    await page.getByText('Reading the message').waitFor({ state: 'detached' });
    expectEqual(
      await page.locator('.source-pane .exact-text').first().textContent(),
      JSON.stringify(turn.raw, undefined, 2),
      'the host’s message',
    );
  });

  await checks.run('identifiers stand in three groups, are searched, and lead to their turns', async () => {
    await page.getByRole('tab', { name: /^Identifiers/ }).click();
    await page.getByRole('button', { name: `Lost ${newest.identifiers_lost.length}` }).click();
    const names = page.getByRole('listbox', { name: 'Identifiers: lost, repaired, kept' });
    const wanted =
      newest.identifiers_lost.find((name) => name.startsWith('worker-')) ?? newest.identifiers_lost[0] ?? '';
    await page.getByLabel('Filter identifiers').fill(wanted);
    await names.getByRole('option').first().click();
    await page.locator('.source-turn mark').first().waitFor();
    expectEqual(
      (await page.locator('.source-turn mark').first().textContent())?.toLowerCase(),
      wanted.toLowerCase(),
      'the mark',
    );
    expectEqual(new URL(page.url()).searchParams.get('find'), wanted, 'what is looked for');
    await page.goBack();
    await names.waitFor();
  });

  await checks.run('a condensed checkpoint leads down to those it was made of, and at last to turns', async () => {
    await page.goto(at(condensed.checkpoint_id));
    await page.getByRole('tab', { name: `Made of ${condensed.parent_checkpoint_ids.length}` }).waitFor();
    await fits(page, 'the parents');
    await page.locator('.source-checkpoint a').first().click();
    await page.getByText(/^Folded into checkpoint/).waitFor();
    await page.locator('.source-turn').first().waitFor();
    await page.keyboard.press(']');
    await page.waitForURL((url) => !url.pathname.endsWith(folded.checkpoint_id));
  });

  await checks.run('dissolving shows what comes of it first, then does it; restoring gives it back', async () => {
    await page.goto(at(condensed.checkpoint_id));
    await page.getByRole('button', { name: 'Dissolve…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Dissolve checkpoint/ });
    await dialog.getByText(/stand again\.$/).waitFor();
    await dialog.getByText(/Nothing is deleted/).waitFor();
    await dialog.getByText(/A call sends what fits it\.$/).waitFor();
    expectEqual((await checkpointOf(api, condensed.checkpoint_id)).state, 'stands', 'the state after the preview');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Dissolve…' }).click();
    await dialog.getByRole('button', { name: 'Dissolve', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('.checkpoint-header').getByText('Dissolved').waitFor();
    expectEqual((await checkpointOf(api, condensed.checkpoint_id)).state, 'dissolved', 'the state');
    expectEqual((await checkpointOf(api, folded.checkpoint_id)).state, 'stands', 'what it was made of');
    await page.getByRole('button', { name: 'Restore…' }).click();
    await page
      .getByRole('dialog')
      .getByText(/stand no longer\.$/)
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
    await page.locator('.checkpoint-header').getByText('Stands', { exact: true }).waitFor();
    expectEqual((await checkpointOf(api, condensed.checkpoint_id)).state, 'stands', 'the state at last');
  });

  await checks.run('what somebody else changed meanwhile is said in a sentence with its remedy', async () => {
    inspector.allowStatus(409);
    await page.getByRole('button', { name: 'Dissolve…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/stand again\.$/).waitFor();
    await api.post(`/v1/checkpoints/${condensed.checkpoint_id}/dissolve`, {});
    await dialog.getByRole('button', { name: 'Dissolve', exact: true }).click();
    await dialog
      .getByRole('alert')
      .getByText(/It was not done/)
      .waitFor();
    await dialog.getByText(/Something else changed it meanwhile/).waitFor();
    await page.keyboard.press('Escape');
    await api.post(`/v1/checkpoints/${condensed.checkpoint_id}/restore`, {});
    inspector.allowStatus();
  });

  await checks.run('running again compares the summaries line by line before it replaces one', async () => {
    await page.goto(at(newest.checkpoint_id));
    await page.getByRole('button', { name: 'Run again…' }).click();
    const dialog = page.getByRole('dialog', { name: /again$/ });
    await dialog.getByText(/OpenClaw’s model can only be asked from inside OpenClaw/).waitFor();
    await dialog.getByLabel('Summariser').selectOption('extractive');
    await dialog.getByLabel('Identifier policy').selectOption('none');
    await dialog.getByLabel('Look out for').fill('leases and ports');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('Identifiers that would be lost').waitFor();
    await dialog.locator('.diff .removed').first().waitFor();
    expectEqual((await checkpointsOf(api, uid)).length, stored.length, 'the checkpoints after a preview');
    await dialog.getByRole('button', { name: 'Replace' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Asked to look out for:').waitFor();
    expectEqual((await checkpointOf(api, newest.checkpoint_id)).state, 'replaced', 'the state of the earlier one');
  });

  await checks.run('compacting now says what came of it, and the checkpoint appears', async () => {
    const fresh = await uidOf(api, filled.fresh);
    await page.goto(`${host.url}/sessions/${fresh}/checkpoints`);
    await page.getByRole('heading', { name: 'No checkpoint yet' }).waitFor();
    await page.getByLabel('What the summary should look out for').fill('ports');
    await page.getByRole('button', { name: 'Compact now' }).click();
    await page.getByText(/^1 checkpoint made, ≈ [\d,]+ → [\d,]+ tokens/).waitFor();
    await list.getByRole('option').first().waitFor();
    const forced = { ...filled.fresh, force: true, trigger: 'manual' };
    while ((await api.post('/v1/compact', forced))['compacted'] === true);
    await page.getByRole('button', { name: 'Compact now' }).click();
    await page.getByText(/^Nothing was compacted:/).waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
  });

  await checks.run('thousands of turns in a range are paged, scrolled to the end and searched to the end', async () => {
    const broad = await uidOf(api, filled.broad);
    const big = one(await checkpointsOf(api, broad), (checkpoint) => checkpoint.level === 1);
    const turnCount = big.source_turn_range.end_sequence;
    expect(turnCount > 5_000, `a checkpoint over thousands of turns, got ${turnCount}`);
    await page.goto(`${host.url}/sessions/${broad}/checkpoints/${big.checkpoint_id}?view=turns`);
    const turns = page.getByRole('tree', { name: 'Turns of the checkpoint, oldest first' });
    await turns.getByRole('treeitem').first().waitFor();
    expect((await page.locator('.source-turn').count()) < 80, 'only the turns in view are on the page');
    const last = String(19_999 + Math.floor(big.source_turn_range.end_sequence / 2));
    await page.getByLabel('Find in these turns').fill(last);
    await page.locator('.source-turn mark').first().waitFor();
    await page.getByText(`of ${big.source_turn_range.end_sequence.toLocaleString('en-US')} turns read`).waitFor();
    await page.getByRole('tab', { name: /^Identifiers/ }).click();
    const all = big.identifiers_kept.length + big.identifiers_lost.length;
    expect(all > 500, 'many identifiers');
    await page.getByRole('listbox', { name: 'Identifiers: lost, repaired, kept' }).press('End');
    await page.locator(`[aria-posinset="${all}"] .identifier-line`).waitFor();
  });

  await checks.run('text of other languages and hostile text stays text', async () => {
    const hostile = await uidOf(api, filled.awkward);
    const [checkpoint] = await checkpointsOf(api, hostile);
    await page.goto(`${host.url}/sessions/${hostile}/checkpoints/${checkpoint?.checkpoint_id ?? ''}`);
    await page.locator('.source-turn').first().waitFor();
    expectEqual(await page.locator('.checkpoint-detail img').count(), 0, 'pictures made of text');
    await fits(page, 'long words');
  });

  await checks.run('a decision about a checkpoint links to it', async () => {
    const called = await uidOf(api, withCalls);
    const calls = (await api.get(`/v1/sessions/${called}/calls`))['items'] as { call_id: string }[];
    const trace = (await api.get(`/v1/calls/${calls[0]?.call_id ?? ''}`))['trace'] as {
      decisions: { seq: number; reason: string }[];
    };
    for (const reason of ['covered_by_checkpoint', 'summary_newest']) {
      const seq = trace.decisions.find((decision) => decision.reason === reason)?.seq ?? -1;
      await page.goto(`${host.url}/sessions/${called}/calls/${calls[0]?.call_id ?? ''}?step=${seq}`);
      await page
        .locator('.decision-detail')
        .getByRole('link', { name: /^checkpoint \d/ })
        .first()
        .click();
      await page.getByRole('heading', { name: /^Checkpoint \d/ }).waitFor();
    }
  });

  await checks.run('a checkpoint that is not there says so', async () => {
    inspector.allowStatus(404);
    await page.goto(at('no-such-checkpoint'));
    await page.getByText('The checkpoint could not be read').waitFor();
    await page.getByText(/Go back to the session’s checkpoints/).waitFor();
    inspector.allowStatus();
  });
}

/** Nothing is wider than the page, and every control has a name. */
async function fits(page: Page, what: string): Promise<void> {
  for (const width of [1920, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect((await sidewaysScroll(page)) <= 0, `no sideways scrolling of ${what} at ${width}`);
    const cut = await page.evaluate<
      string[]
    >(`[...document.querySelectorAll('.checkpoint-line > *, .source-checkpoint, .source-checkpoint > *, .job-line > *')]
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflow === 'visible')
      .map((element) => element.outerHTML.slice(0, 120))`);
    expectEqual(cut.join('\n'), '', `what sticks out of ${what} at ${width}`);
  }
  expectEqual((await unnamedControls(page)).join('\n'), '', `controls without a name in ${what}`);
}

async function checkpointsOf(api: DaemonApi, uid: string): Promise<CheckpointRecord[]> {
  return (await api.get(`/v1/sessions/${uid}/checkpoints?limit=200`))['items'] as CheckpointRecord[];
}

async function checkpointOf(api: DaemonApi, id: string): Promise<CheckpointRecord> {
  return (await api.get(`/v1/checkpoints/${id}`))['checkpoint'] as CheckpointRecord;
}

function one<T>(items: readonly T[], wanted: (item: T) => boolean): T {
  const found = items.find(wanted);
  if (found === undefined) throw new Error('What was filled in lacks such a checkpoint');
  return found;
}
