import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostMessage } from '../../src-shared/protocol/host-message.ts';

export interface RecordedCall {
  readonly kind: 'engine' | 'hook';
  readonly name: string;
  readonly payload: Record<string, unknown> & { messages?: HostMessage[] };
  readonly context?: Record<string, unknown>;
}

const folder = join(import.meta.dirname, '..', 'fixtures');

/** What real hosts called, in their order; names begin with the host's version. */
export function recordings(): { name: string; calls: RecordedCall[] }[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  return names.map((name) => ({
    name: name.replace('.json', ''),
    // Written by trim-recordings.mjs, whose output this type describes.
    calls: JSON.parse(readFileSync(join(folder, name), 'utf8')) as RecordedCall[],
  }));
}
