import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from '../../src-main/host.ts';
import { expect, expectEqual, type Checks } from './checks.ts';
import { daemonApi } from './daemon-api.ts';
import type { FilledMemory } from './fill-memory.ts';
import { sidewaysScroll, unnamedControls, type InspectorPage } from './inspector-page.ts';

/** The files of memory: found in the tree, read, edited by two at once, restored, retired and forgotten. */
export async function checkMemory(
  checks: Checks,
  inspector: InspectorPage,
  host: Host,
  filled: FilledMemory,
): Promise<void> {
  const { page } = inspector;
  const api = daemonApi(host.url, host.token);
  const at = (uri: string, more = '') => `${host.url}/memory?page=${uri}${more}`;
  const tree = page.getByRole('tree', { name: 'Files by owner and folder' });
  const row = (name: string) =>
    tree.getByRole('treeitem').filter({ has: page.locator('.tree-name').getByText(name, { exact: true }) });
  const teaFile = join(filled.workspace, 'memories', 'users', 'default', 'preferences', 'tea.md');
  const text = page.getByLabel('Text of the file');
  const save = page.getByRole('button', { name: 'Save', exact: true });

  await checks.run(
    'the tree shows every file by owner and folder, also what holds no longer and what is broken',
    async () => {
      await page.goto(`${host.url}/memory`);
      await row('Kestrel gateway').waitFor();
      await row('Editor: four spaces').getByText('superseded', { exact: true }).last().waitFor();
      await row('Tea without sugar').getByText('pinned').waitFor({ state: 'attached' });
      await row('Editor and formatting').getByText('shared').waitFor();
      await row('broken').getByText('front matter').waitFor();
      await page.getByRole('heading', { name: /Cannot be read as pages/ }).waitFor();
      expectEqual((await unnamedControls(page)).join('\n'), '', 'controls without a name');
    },
  );

  await checks.run('the filter narrows it by text, kind and state, and the address keeps it', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('饮料');
    await row('茶').waitFor();
    await row('Kestrel gateway').waitFor({ state: 'detached' });
    expect(page.url().includes('find='), 'the filter in the address');
    await page.keyboard.press('Escape');
    await page.getByLabel('State').selectOption('superseded');
    await row('Tea without sugar').waitFor({ state: 'detached' });
    await row('Editor: four spaces').waitFor();
    await page.reload();
    await row('Editor: four spaces').waitFor();
    expectEqual(await page.getByLabel('State').inputValue(), 'superseded', 'the state after a reload');
  });

  await checks.run('folders close, J opens the next page, and Escape goes back to the tree', async () => {
    await page.goto(at(filled.proxy));
    await page.locator('.virtual-row.selected').getByText('Kestrel gateway').waitFor();
    await row('entities').click();
    await row('Import service').waitFor({ state: 'detached' });
    await row('entities').click();
    await row('Import service').click();
    await page.keyboard.press('j');
    await page.waitForURL(at(filled.proxy));
    await page.keyboard.press('Escape');
    await page.waitForURL(`${host.url}/memory`);
  });

  await checks.run('a page shows what it says, what it is made of, and links both ways', async () => {
    await page.goto(at(filled.proxy));
    const detail = page.locator('.page-detail');
    await detail.getByText('The kestrel gateway listens on port 8443').first().waitFor();
    await detail.getByText('edge-2').waitFor();
    await detail.getByText(/^You changed it/).waitFor();
    await detail.locator('.page-side').getByRole('link', { name: 'Lease lost after 29.8 s' }).waitFor();
    await detail.locator('.markdown').getByRole('link', { name: 'Import service' }).click();
    await page.getByRole('heading', { level: 2, name: 'Import service' }).waitFor();
    expect((await sidewaysScroll(page)) <= 0, 'no sideways scrolling at 1280');
  });

  await checks.run('what is edited is on the disk when it is saved', async () => {
    await page.goto(at(filled.tea, '&view=edit'));
    await text.fill((await text.inputValue()).replace('green tea', 'white tea'));
    await page.getByText('Not saved', { exact: true }).waitFor();
    await page.getByLabel('Why, for the history').fill('Changed my mind');
    await save.click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await readFile(teaFile, 'utf8')).includes('white tea'), 'the new text in the file');
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText('Changed my mind').waitFor();
  });

  await checks.run('text that is not saved is kept while one looks elsewhere', async () => {
    await page.getByRole('tab', { name: 'Edit' }).click();
    await text.fill((await text.inputValue()).replace('white tea', 'mint tea'));
    await row('Kestrel gateway').click();
    await page.getByRole('heading', { level: 2, name: 'Kestrel gateway' }).waitFor();
    await row('Tea without sugar').click();
    await page.getByRole('tab', { name: /Edit.*not saved/ }).click();
    expect((await text.inputValue()).includes('mint tea'), 'the text as it was left');
  });

  await checks.run('two who write at once lose nothing: both are shown, and merged by hand', async () => {
    // Somebody saves with another editor while the text is open here.
    await writeFile(teaFile, (await readFile(teaFile, 'utf8')).replace('without sugar,', 'without sugar and milk,'));
    await page.getByText(/^Somebody else wrote version \d+/).waitFor();
    await page.getByLabel('What you changed').getByText('mint tea').waitFor();
    await page.getByLabel('What they changed').getByText('and milk').waitFor();
    expect(await save.isDisabled(), 'that nothing is saved before a choice');
    await text.fill((await text.inputValue()).replace('without sugar,', 'without sugar and milk,'));
    await page.getByRole('button', { name: 'Save yours over theirs' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const saved = await readFile(teaFile, 'utf8');
    expect(saved.includes('and milk') && saved.includes('mint tea'), 'both changes in the file');
  });

  await checks.run('the history compares versions, and restores one byte for byte', async () => {
    await page.getByRole('tab', { name: 'History' }).click();
    const versions = page.getByRole('listbox', { name: 'Versions, newest first' });
    const count = await versions.getByRole('option').count();
    expect(count >= 4, `at least 4 versions, got ${count}`);
    await versions.getByRole('option').last().click();
    await page.getByRole('button', { name: 'Against now' }).click();
    await page.getByLabel('Changed lines').getByText('mint tea').first().waitFor();
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await versions.getByRole('option').nth(count).waitFor();
    const { content } = await api.get(`/v1/pages/${encodeURIComponent(filled.tea)}?version=1`);
    expectEqual(await readFile(teaFile, 'utf8'), String(content), 'the file');
  });

  await checks.run('a page is retired with a reason and made active again', async () => {
    await page.goto(at(filled.tea));
    await page.getByRole('button', { name: 'Retire' }).click();
    await page.getByLabel('Why, for the history').fill('Not true any more');
    await page.getByRole('dialog').getByRole('button', { name: 'Retire' }).click();
    await page.getByText(/^Retired: recall leaves it out/).waitFor();
    await row('Tea without sugar').getByText('retired').last().waitFor();
    await page.getByRole('button', { name: 'Make active again' }).click();
    await page.locator('.page-header').getByText('Active', { exact: true }).waitFor();
  });

  await checks.run('a new page gets an address from its title, and is renamed', async () => {
    await page.getByRole('button', { name: 'New page' }).click();
    await page.getByLabel('Title', { exact: true }).fill('Coffee after lunch');
    expectEqual(await page.getByLabel('Folder and name').inputValue(), 'preferences/coffee-after-lunch', 'the address');
    await page.getByLabel('What holds').fill('One espresso after lunch.');
    await page.getByRole('button', { name: 'Write the page' }).click();
    await page.locator('.page-detail').getByText('One espresso after lunch.').first().waitFor();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel(/^Folder and name/).fill('preferences/espresso');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.waitForURL(at('strata://user/default/memories/preferences/espresso'));
    await page.locator('.page-detail').getByText('One espresso after lunch.').first().waitFor();
  });

  await checks.run('a page is forgotten for good once its name is typed, and it says what remains', async () => {
    await page.getByRole('button', { name: 'Forget for good' }).click();
    const remove = page.getByRole('button', { name: 'Remove it for good' });
    expect(await remove.isDisabled(), 'that nothing happens without the name');
    await page.getByLabel(/^Type .* to confirm$/).fill('Coffee after lunch');
    await remove.click();
    await page.getByRole('heading', { name: 'Still holds it' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.waitForURL(`${host.url}/memory`);
    await row('Coffee after lunch').waitFor({ state: 'detached' });
  });

  await checks.run('a file that is broken is shown as it is, mended here, and is a page again', async () => {
    await page.goto(at(filled.broken));
    await page.getByText(/^This file cannot be read as a page/).waitFor();
    await page.getByRole('tab', { name: 'Edit' }).click();
    await text.fill((await text.inputValue()).replace('[a, b', '[a, b]'));
    await save.click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByText(/^This file cannot be read as a page/).waitFor({ state: 'detached' });
    await row('Broken').waitFor();
  });

  await checks.run('a page that is not there says so', async () => {
    inspector.allowStatus(404);
    await page.goto(at('strata://user/default/memories/none'));
    await page.getByText('The page could not be read').waitFor();
    inspector.allowStatus();
  });
}
