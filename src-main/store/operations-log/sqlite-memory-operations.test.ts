import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { MemoryOperation } from '../../../src-shared/model/memory-operation.ts';
import type { MemoryOperations } from '../../engine/ports/memory-operations.ts';
import { openSessionStore } from '../open-session-store.ts';
import { sampleIdentity, sampleTurns } from '../testing/samples.ts';

const uri = 'strata://user/u/memories/preferences/theme';

function operation(id: string, more: Partial<MemoryOperation> = {}): MemoryOperation {
  return {
    operation_id: id,
    at: '2026-11-02T10:00:00.000Z',
    action: 'ADD',
    uri,
    kind: 'preference',
    text: 'The user prefers the dark theme.',
    reason: { code: 'new', message: 'Nothing like it is known.' },
    gates: { durable: true, new: true, useful: true },
    compared: [],
    author: 'extraction',
    method: 'rules',
    user_id: 'u',
    agent_id: 'main',
    session_uid: 'sess_1',
    sources: [],
    ...more,
  };
}

function open() {
  const dataDir = mkdtempSync(join(tmpdir(), 'strata-operations-'));
  const store = openSessionStore({ dataDir, backups: 1 });
  onTestFinished(async () => {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { dataDir, store, operations: store.operations satisfies MemoryOperations };
}

it('keeps operations with what they did to pages, newest first, page by page', async () => {
  const { operations } = open();
  for (const id of ['op_1', 'op_2', 'op_3']) {
    await operations.add(
      { operation: operation(id), changes: [{ uri, versionBefore: 0, versionAfter: 1 }] },
      undefined,
    );
  }
  const first = await operations.list({ cursor: undefined, limit: 2 }, {});
  expect(first.items.map(({ operation_id }) => operation_id)).toEqual(['op_3', 'op_2']);
  const rest = await operations.list({ cursor: first.nextCursor, limit: 2 }, {});
  expect(rest).toMatchObject({ items: [{ operation_id: 'op_1' }], nextCursor: undefined, total: 3 });
  expect((await operations.find('op_1'))?.changes).toEqual([{ uri, versionBefore: 0, versionAfter: 1 }]);
  expect(await operations.find('op_9')).toBeUndefined();
});

it('finds the operations of a page, also those that it lost its place by', async () => {
  const { operations } = open();
  await operations.add({ operation: operation('op_1'), changes: [] }, undefined);
  await operations.add({ operation: operation('op_2', { uri: `${uri}-2`, supersedes: uri }), changes: [] }, undefined);
  await operations.add({ operation: operation('op_3', { uri: `${uri}-2`, action: 'NONE' }), changes: [] }, undefined);
  const ids = async (filter: Parameters<MemoryOperations['list']>[1]) =>
    (await operations.list({ cursor: undefined, limit: 10 }, filter)).items.map(({ operation_id }) => operation_id);
  expect(await ids({ uri })).toEqual(['op_2', 'op_1']);
  expect(await ids({ action: 'NONE' })).toEqual(['op_3']);
  expect(await ids({ sessionUid: 'sess_2' })).toEqual([]);
});

it('knows which words were judged', async () => {
  const { operations } = open();
  await operations.add({ operation: operation('op_1'), changes: [] }, 'key-1');
  expect([...(await operations.judged(['key-1', 'key-2']))]).toEqual(['key-1']);
});

it('marks an operation as undone once', async () => {
  const { operations } = open();
  await operations.add({ operation: operation('op_1'), changes: [] }, undefined);
  expect(await operations.markUndone('op_1', '2026-11-03T00:00:00.000Z')).toBe(true);
  expect(await operations.markUndone('op_1', '2026-11-04T00:00:00.000Z')).toBe(false);
  expect((await operations.find('op_1'))?.operation.undone_at).toBe('2026-11-03T00:00:00.000Z');
});

it('leaves nothing of an erased text in the files of the database, and still knows that it was judged', async () => {
  const { dataDir, store, operations } = open();
  const told = operation('op_1', { text: 'The user prefers zebra-striped-wallpaper.' });
  await operations.add({ operation: told, changes: [] }, 'key-1');
  expect(await operations.eraseTexts(uri)).toBe(1);
  expect((await operations.find('op_1'))?.operation).toMatchObject({ text: '[erased]', action: 'ADD', uri });
  expect((await operations.judged(['key-1'])).size).toBe(1);
  await store.close();
  for (const file of readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())) {
    expect(readFileSync(join(file.parentPath, file.name)).includes('zebra-striped-wallpaper')).toBe(false);
  }
});

it('H50: knows which turns of a session were not read yet, each once', async () => {
  const { operations } = open();
  expect(await operations.unread('sess_1', { start: 1, end: 10 })).toEqual([{ start: 1, end: 10 }]);
  await operations.noteRead('sess_1', { start: 3, end: 5 }, 1);
  await operations.noteRead('sess_1', { start: 4, end: 8 }, 2);
  expect(await operations.unread('sess_1', { start: 1, end: 10 })).toEqual([
    { start: 1, end: 2 },
    { start: 9, end: 10 },
  ]);
  expect(await operations.unread('sess_1', { start: 3, end: 8 })).toEqual([]);
  expect(await operations.unread('sess_2', { start: 3, end: 8 })).toEqual([{ start: 3, end: 8 }]);
});

it('names the sessions with turns that were not read', async () => {
  const { store, operations } = open();
  for (const name of ['a', 'b']) {
    await store.openSession(sampleIdentity({ sessionId: name }), 1, `sess_${name}`);
    await store.appendTurns({ sessionUid: `sess_${name}`, at: 1, turns: sampleTurns(1, 4) });
  }
  await operations.noteRead('sess_a', { start: 1, end: 4 }, 1);
  expect(await operations.behind(10)).toEqual([{ sessionUid: 'sess_b', lastSequence: 4 }]);
});
