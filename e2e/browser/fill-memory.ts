import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DaemonApi } from './daemon-api.ts';
import type { Conversation } from './fill-daemon.ts';

export interface FilledMemory {
  /** Directory of the Markdown files. */
  readonly workspace: string;
  readonly proxy: string;
  readonly tea: string;
  readonly oldEditor: string;
  /** A file whose front matter does not parse. */
  readonly broken: string;
  /** Says in a turn what no page says. */
  readonly conversation: Conversation;
}

const user = 'strata://user/default/memories';

/** What some weeks of use leave in memory: pages of every kind and state, some written with an editor, one broken. */
export async function fillMemory(api: DaemonApi, dataDir: string): Promise<FilledMemory> {
  const workspace = join(dataDir, 'workspace');
  const proxy = `${user}/entities/kestrel-gateway`;
  const tea = `${user}/preferences/tea`;
  const editor = `${user}/preferences/editor`;
  const oldEditor = `${user}/preferences/editor-four-spaces`;
  const save = (uri: string, fields: Record<string, unknown>) =>
    api.put(`/v1/pages/${encodeURIComponent(uri)}`, { base_version: 0, ...fields });

  await save(`${user}/entities/import-service`, {
    kind: 'entity',
    title: 'Import service',
    aliases: ['importer'],
    truth: 'Reads the nightly files of the warehouse and writes them to the ledger.',
  });
  await save(proxy, {
    kind: 'entity',
    title: 'Kestrel gateway',
    aliases: ['edge-2'],
    tags: ['infrastructure'],
    truth:
      'The kestrel gateway listens on port 8443; it was 8080 before November.\n\n- It stands in front of the [[Import service]].\n- Health checks go to `/healthz` and are [[not written down]].',
  });
  await save(proxy, {
    base_version: 1,
    truth:
      'The kestrel gateway listens on port 8443; it was 8080 before November.\n\n- It stands in front of the [[Import service]].\n- Health checks go to `/healthz` every 10 s.\n- The platform group looks after it.',
    reason: 'How often health is checked, and who looks after it',
  });
  await save(tea, {
    kind: 'preference',
    title: 'Tea without sugar',
    tags: ['food'],
    pinned: true,
    truth: 'Tea without sugar, green tea in the afternoon.',
  });
  await save(editor, {
    kind: 'preference',
    title: 'Editor and formatting',
    visibility: 'shared',
    truth: 'Two spaces, no tabs, lines of at most 120 characters.',
  });
  await save(oldEditor, { kind: 'preference', title: 'Editor: four spaces', truth: 'Four spaces.' });
  await save(oldEditor, { base_version: 1, status: 'superseded', reason: 'Two spaces since October' });
  await save('strata://agent/main/memories/cases/lease-lost', {
    kind: 'case',
    title: 'Lease lost after 29.8 s',
    truth: 'The lease was renewed too late. A heartbeat every 10 s helped; see [[Kestrel gateway]].',
  });
  await save(`${user}/events/port-moved`, {
    kind: 'event',
    title: '2026-11-02: the port of the kestrel gateway',
    truth: 'We decided to move the kestrel gateway from port 8080 to 8443.',
  });
  const broken = await putFiles(workspace);
  const conversation = { session_id: 'memory-1', session_key: 'agent:main:project:ledger' };
  await api.post('/v1/commit-turn', {
    ...conversation,
    advancement_key: 'adv-1',
    format: 'openclaw',
    messages: [
      {
        role: 'user',
        content: 'The zanzibar ledger is closed on the last Friday of the month.',
        timestamp: Date.now(),
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Noted: last Friday.' }], timestamp: Date.now() },
    ],
  });
  return { workspace, proxy, tea, oldEditor, broken, conversation };
}

/** Files as somebody writes them with any editor. */
async function putFiles(workspace: string): Promise<string> {
  await mkdir(join(workspace, 'notes'), { recursive: true });
  await writeFile(join(workspace, 'notes', 'runbook.md'), '# Runbook\n\nRestart the proxy with care.\n');
  await writeFile(join(workspace, 'notes', '茶 🍵.md'), '---\ntitle: 茶\ntags: [饮料]\n---\n\n喜欢绿茶。\n');
  await writeFile(join(workspace, 'notes', 'broken.md'), '---\ntitle: Broken\ntags: [a, b\n---\n\nText.\n');
  return 'strata://resources/notes/broken';
}

/** Waits until what was written can be found. */
export async function indexed(api: DaemonApi, query: string, uri: string): Promise<void> {
  const end = Date.now() + 15_000;
  for (;;) {
    const found = await api.post('/v1/search', { query });
    if (JSON.stringify(found['candidates']).includes(uri)) return;
    if (Date.now() > end) throw new Error(`${uri} was not found by ${JSON.stringify(query)} within 15 s`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
