import type { HostMessage, MessageOrRef } from '../../src-shared/protocol/host-message.ts';
import { isLasting } from '../daemon/daemon-failure.ts';
import type { PluginRoute } from '../daemon/plugin-routes.ts';
import { sendMessages } from '../messages/send-messages.ts';
import type { PluginRuntime } from '../plugin-runtime.ts';
import { lackOf } from '../spool/lack-of.ts';
import type { SpooledRoute } from '../spool/spool-entry.ts';

/** Share of the time that requests which wait from before may take. */
const spoolShare = 0.5;

export type StoreOutcome<Reply> = { readonly kind: 'stored'; readonly reply: Reply } | { readonly kind: 'kept' };

/**
 * Stores messages: in the daemon, or in the spool when it is away or older requests wait still. A request that the
 * daemon refuses for good is kept aside, since it would stand in front of all others forever.
 * @throws when neither could store it
 */
export async function storeTurn<Body extends { messages?: readonly MessageOrRef[] }, Reply>(
  runtime: PluginRuntime,
  route: PluginRoute<Body, Reply> & { readonly path: SpooledRoute },
  request: Omit<Body, 'messages'> & { readonly session_id: string },
  messages: readonly HostMessage[],
  options: {
    /** The messages that must survive if they have to wait; default all of them. */
    own?: readonly HostMessage[];
    /** So many messages go as references in the first try, whether or not this process knows of them. */
    refsUntil?: number;
  } = {},
): Promise<StoreOutcome<Reply>> {
  const { config, spool } = runtime;
  const own = options.own ?? messages;
  await runtime.shared.endings.get(request.session_id);
  const before = await spool.state().catch(() => ({ pending: 0, rejected: 0 }));
  const waiting = before.pending === 0 ? 0 : await spool.deliver(config.storeTimeoutMs * spoolShare);
  if (waiting === 0) {
    const limits = { refs: options.refsUntil ?? 0, timeoutMs: config.storeTimeoutMs };
    const result = await sendMessages(runtime, route, request, messages, limits);
    const lacks = result.ok ? lackOf(result.reply, messages.length) : undefined;
    if (result.ok && lacks === undefined) {
      if (before.pending > 0 || before.rejected > 0 || runtime.shared.spoolTroubleReported) await reportSpool(runtime);
      return { kind: 'stored', reply: result.reply };
    }
    if (!result.ok && isLasting(result.failure)) {
      await spool.keepRejected(route.path, { ...request, messages: own }, result.failure);
      await reportSpool(runtime);
      return { kind: 'kept' };
    }
    runtime.warn(`A turn waits in the spool: ${lacks ?? (result.ok ? '' : result.failure.message)}`, 'spool');
  }
  await spool.append(route.path, { ...request, messages: own });
  await reportSpool(runtime);
  return { kind: 'kept' };
}

/** The turn is safe by now, here or there: that its state cannot be told must not make the host offer it again. */
async function reportSpool({ spool, events, shared, warn }: PluginRuntime): Promise<void> {
  try {
    const { pending, oldestAt, rejected } = await spool.state();
    shared.spoolTroubleReported = pending > 0 || rejected > 0;
    events.add({ type: 'spool_state', pending, rejected, ...(oldestAt === undefined ? {} : { oldest_at: oldestAt }) });
  } catch (error) {
    warn(`The state of the spool cannot be read: ${String(error)}`, 'spool-state');
  }
}
