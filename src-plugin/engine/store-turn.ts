import type { HostMessage, MessageOrRef } from '../../src-shared/protocol/host-message.ts';
import { isLasting } from '../daemon/daemon-failure.ts';
import type { PluginRoute } from '../daemon/plugin-routes.ts';
import { sendMessages } from '../messages/send-messages.ts';
import type { PluginRuntime } from '../plugin-runtime.ts';
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
  const { config, spool, events } = runtime;
  const own = options.own ?? messages;
  await runtime.shared.endings.get(request.session_id);
  const before = await spool.state().catch(() => ({ pending: 0 }));
  const waiting = before.pending === 0 ? 0 : await spool.deliver(config.storeTimeoutMs * spoolShare);
  if (waiting === 0) {
    const limits = { refs: options.refsUntil ?? 0, timeoutMs: config.storeTimeoutMs };
    const result = await sendMessages(runtime, route, request, messages, limits);
    if (result.ok) {
      if (before.pending > 0) events.add({ type: 'spool_state', pending: 0 });
      return { kind: 'stored', reply: result.reply };
    }
    if (isLasting(result.failure)) {
      await spool.keepRejected(route.path, { ...request, messages: own }, result.failure);
      return { kind: 'kept' };
    }
    runtime.warn(`A turn waits in the spool: ${result.failure.message}`, 'spool');
  }
  await spool.append(route.path, { ...request, messages: own });
  const { pending, oldestAt } = await spool.state();
  events.add({ type: 'spool_state', pending, ...(oldestAt === undefined ? {} : { oldest_at: oldestAt }) });
  return { kind: 'kept' };
}
