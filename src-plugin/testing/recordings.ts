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

/** The same calls in sessions of their own, so that several recordings can be replayed side by side. */
export function relabelled(calls: readonly RecordedCall[], label: string): RecordedCall[] {
  const relabel = (name: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value;
    if (name === 'sessionId' || name === 'nextSessionId' || name === 'advancementKey') return `${label}/${value}`;
    if (!/^(session|parentSession|childSession)Key$/.test(name)) return value;
    return value.replace(/^agent:main:/, `agent:main:${label}:`);
  };
  return calls.map((call) => JSON.parse(JSON.stringify(call), relabel) as RecordedCall);
}
