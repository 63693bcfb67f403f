import { packText, unpackText, type PackedBytes } from './pack-bytes.ts';

/** A record of ours as packed JSON. */
export function packJson(record: object): PackedBytes {
  return packText(JSON.stringify(record));
}

/** The record that `packJson` packed; the caller names the type that it gave. */
export function unpackJson(packed: PackedBytes): unknown {
  return JSON.parse(unpackText(packed));
}
