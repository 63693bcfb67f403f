import type { HostMessage } from '../../src-shared/protocol/host-message.ts';
import { bootstrapRoute, type BootstrapBody } from '../daemon/plugin-routes.ts';
import type { BootstrapParams } from '../host-types.ts';
import { sendMessages } from '../messages/send-messages.ts';
import type { PluginRuntime } from '../plugin-runtime.ts';
import { sessionIdentity } from '../session-identity.ts';

/** Bounds of one catch-up: it stands between the user and the answer. The rest follows at the next bootstrap. */
const largestPages = 20;
const catchUpMs = 4_000;

export interface CatchUpResult {
  readonly bootstrapped: boolean;
  readonly imported: number;
  readonly reason: string | undefined;
}

/** One answer of the host's transcript reader; of its entries only messages carry a body. */
type Delta =
  | {
      readonly kind: 'page';
      readonly cursor: string;
      readonly hasMore: boolean;
      readonly entries: readonly DeltaEntry[];
    }
  | { readonly kind: 'reset'; readonly cursor: string | undefined }
  | { readonly kind: 'missing' | 'unavailable' };

interface DeltaEntry {
  readonly entryId: string | null;
  readonly message: HostMessage;
}

export type TranscriptReader = (params: {
  agentId: string;
  sessionKey: string;
  sessionId: string;
  cursor?: string;
}) => Promise<unknown>;

/** Loads the host's transcript reader; undefined on hosts that have none (2026.7 and older). */
export type LoadTranscriptReader = () => Promise<TranscriptReader | undefined>;

/** Opens a session in the daemon and takes in what the host's transcript has beyond the stored cursor. */
export async function catchUp(
  runtime: PluginRuntime,
  params: BootstrapParams,
  load: LoadTranscriptReader,
): Promise<CatchUpResult> {
  const { link, config } = runtime;
  const end = performance.now() + catchUpMs;
  const session = { ...sessionIdentity(params, config.agentId), format: 'openclaw' } as const;
  const opened = await link.call(bootstrapRoute, { ...session, messages: [] }, { timeoutMs: config.storeTimeoutMs });
  if (!opened.ok) return { bootstrapped: false, imported: 0, reason: opened.failure.message };
  const reader = await load();
  const agentId = params.sessionTarget?.agentId ?? session.agent_id;
  if (reader === undefined || params.sessionKey === undefined || agentId === undefined) {
    return { bootstrapped: true, imported: 0, reason: undefined };
  }
  const target = { agentId, sessionKey: params.sessionKey, sessionId: params.sessionId };
  let cursor = opened.reply.cursor;
  let imported = 0;
  let wasReset = false;
  for (let page = 1; ; page += 1) {
    const delta = readDelta(await reader({ ...target, ...(cursor === undefined ? {} : { cursor }) }));
    const more = delta.kind === 'reset' || (delta.kind === 'page' && delta.hasMore);
    const stop = !more || page >= largestPages || performance.now() >= end;
    wasReset ||= delta.kind === 'reset';
    // A reset is reported with what the transcript holds now: only that tells a rewriting from another conversation.
    // Until then the daemon's cursor stays, so that a catch-up that ends here meets the reset again.
    const waits = delta.kind === 'reset' || (wasReset && delta.kind === 'page' && delta.entries.length === 0 && more);
    if (!waits) {
      const sent = await report(runtime, session, delta, { complete: !more, wasReset });
      if (!sent.ok) return { bootstrapped: true, imported, reason: sent.reason };
      imported += sent.imported;
      wasReset = false;
    }
    if (stop)
      return {
        bootstrapped: true,
        imported,
        reason: more ? 'the transcript has more than one catch-up takes in' : undefined,
      };
    // After a reset the host gives a cursor to the start of the transcript as it is now.
    cursor = delta.kind === 'page' || delta.kind === 'reset' ? delta.cursor : undefined;
  }
}

async function report(
  runtime: PluginRuntime,
  session: Omit<BootstrapBody, 'messages' | 'transcript'>,
  delta: Exclude<Delta, { kind: 'reset' }>,
  { complete, wasReset }: { complete: boolean; wasReset: boolean },
): Promise<{ ok: true; imported: number } | { ok: false; reason: string }> {
  const entries = delta.kind === 'page' ? delta.entries : [];
  if (delta.kind === 'page' && entries.length === 0 && complete && !wasReset) return { ok: true, imported: 0 };
  const result = await sendMessages(
    runtime,
    bootstrapRoute,
    {
      ...session,
      transcript: delta.kind === 'page' && wasReset ? 'reset' : delta.kind,
      complete,
      entry_ids: entries.map(({ entryId }) => entryId),
      ...(delta.kind === 'page' ? { cursor: delta.cursor } : {}),
    },
    entries.map(({ message }) => message),
    // What was committed is known already; a transcript that is new to the daemon is sent whole after one refusal.
    { refs: 'all', timeoutMs: runtime.config.storeTimeoutMs },
  );
  return result.ok ? { ok: true, imported: result.reply.imported } : { ok: false, reason: result.failure.message };
}

function readDelta(value: unknown): Delta {
  if (!isFields(value)) return { kind: 'unavailable' };
  const { kind, cursor, entries } = value;
  if (kind === 'reset') return { kind, cursor: typeof cursor === 'string' ? cursor : undefined };
  if (kind === 'missing') return { kind };
  if (kind !== 'page' || typeof cursor !== 'string' || !Array.isArray(entries)) return { kind: 'unavailable' };
  return {
    kind,
    cursor,
    hasMore: value['hasMore'] === true,
    entries: (entries as readonly unknown[]).flatMap(readEntry),
  };
}

function readEntry(value: unknown): DeltaEntry[] {
  if (!isFields(value) || !isFields(value['message']) || typeof value['message']['role'] !== 'string') return [];
  const { entryId, message } = value;
  return [{ entryId: typeof entryId === 'string' ? entryId : null, message }];
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> & { message: HostMessage } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
