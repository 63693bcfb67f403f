import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, open, readFile, rm, stat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../../src-shared/model/engine-error.ts';
import { isMissing, systemCode } from './workspace-error.ts';

/** Who holds a lock. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Tells a process from a later one with the same id; empty where the system does not say. */
  readonly born: string;
  readonly nonce: string;
}

/** Locks of this very process: one of its id that is not among them was left by an earlier one. */
const held = new Set<string>();

/**
 * Holds a lock between processes while `work` runs. The lock of a process of this machine that is gone is taken over; that
 * of a living one never, however long it holds it. One that nobody can be asked about is left after a while.
 * @param waitMs how long to wait for others
 * @throws EngineError `workspace_blocked` when the wait was in vain, and what `work` throws
 */
export async function withLockFile<T>(file: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const nonce = randomBytes(12).toString('hex');
  held.add(nonce);
  try {
    await take(file, nonce, waitMs);
    try {
      return await work();
    } finally {
      await release(file, nonce);
    }
  } finally {
    held.delete(nonce);
  }
}

async function take(file: string, nonce: string, waitMs: number): Promise<void> {
  const me: Holder = { pid: process.pid, host: hostname(), born: birthOf(process.pid), nonce };
  const draft = `${file}.${nonce}`;
  await writeDraft(draft, JSON.stringify(me));
  try {
    const end = performance.now() + waitMs;
    for (let pause = 1; !(await linked(draft, file)); pause = Math.min(pause * 2, 32)) {
      if (await takeOver(file, nonce)) continue;
      if (performance.now() > end) throw await blocked(file);
      await sleep(pause * (0.5 + Math.random() / 2));
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/** The lock appears with its content: a lock without a holder cannot be seen. */
async function linked(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function writeDraft(draft: string, text: string): Promise<void> {
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

/** Removes the lock of a process that is gone; one of the waiting at a time, so that nobody removes a new one. */
async function takeOver(file: string, nonce: string): Promise<boolean> {
  const found = await readHolder(file);
  if (found === undefined) return true;
  if (!(await isLeft(found, file))) return false;
  const guard = `${file}.takeover`;
  if (!(await guarded(guard, nonce))) return false;
  try {
    const still = await readHolder(file);
    if (still?.nonce === found.nonce) await unlink(file);
    return true;
  } finally {
    await rm(guard, { force: true });
  }
}

async function guarded(guard: string, nonce: string): Promise<boolean> {
  try {
    await writeDraft(guard, JSON.stringify({ pid: process.pid, host: hostname(), born: birthOf(process.pid), nonce }));
    return true;
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  const other = await readHolder(guard);
  // Its process ended within the moment between making and removing it.
  if (other && (await isLeft(other, guard))) await rm(guard, { force: true });
  return false;
}

/** Nobody takes a minute to write a hundred bytes: a power cut leaves a lock without its content. */
const unreadableMs = 60_000;
/** A lock is held while one page is written. This machine may have had another name then. */
const otherHostMs = 10 * 60_000;

/** Nobody holds it any more. */
async function isLeft(holder: Holder, file: string): Promise<boolean> {
  if (holder.pid === 0) return isOlder(file, unreadableMs);
  if (holder.host !== hostname()) return isOlder(file, otherHostMs);
  return isGone(holder);
}

async function isOlder(file: string, ms: number): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > ms;
}

async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isHolder(value) ? value : unknownHolder;
  } catch (error) {
    if (isMissing(error)) return undefined;
    // Half written by a process that was killed, or somebody else's file: nobody holds it whom we could ask.
    if (error instanceof SyntaxError) return unknownHolder;
    throw error;
  }
}

const unknownHolder: Holder = { pid: 0, host: '', born: '', nonce: '' };

function isHolder(value: unknown): value is Holder {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'nonce' in value &&
    typeof value.nonce === 'string' &&
    'host' in value &&
    typeof value.host === 'string' &&
    'born' in value &&
    typeof value.born === 'string'
  );
}

function isGone(holder: Holder): boolean {
  if (holder.pid === process.pid && holder.born === birthOf(process.pid)) return !held.has(holder.nonce);
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return systemCode(error) === 'ESRCH';
  }
  const born = birthOf(holder.pid);
  return born !== '' && holder.born !== '' && born !== holder.born;
}

/** On Linux when a process began, in clock ticks since the machine did; elsewhere empty. */
function birthOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything; field 22 is the 20th behind it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    // No such file system, or no such process: there is nothing to compare.
    return '';
  }
}

async function release(file: string, nonce: string): Promise<void> {
  const holder = await readHolder(file);
  if (holder?.nonce === nonce) await rm(file, { force: true });
}

async function blocked(file: string): Promise<EngineError> {
  const holder = await readHolder(file);
  const who = holder === undefined || holder.pid === 0 ? 'another program' : `process ${holder.pid} on ${holder.host}`;
  return new EngineError(
    'workspace_blocked',
    `The page is locked by ${who} for too long. Try again; if that program is gone, remove ${file}.`,
    { details: { lock: file } },
  );
}
