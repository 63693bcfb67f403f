import { expect, it } from 'vitest';
import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { HeldRecords } from './checkpoint-table.ts';

it('holds the 500 records that were read last', () => {
  const held = new HeldRecords();
  // What is in a record does not matter here.
  const record = (id: number) => ({ checkpoint_id: `ckpt_${id}` }) as CompactCheckpoint;
  for (let no = 1; no <= 501; no += 1) held.put(no, record(no));
  expect(held.get(1)).toBeUndefined();
  expect(held.get(2)?.checkpoint_id).toBe('ckpt_2');
  expect(held.get(501)?.checkpoint_id).toBe('ckpt_501');
});
