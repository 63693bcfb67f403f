import type { HostMessage, MessageOrRef } from '../../../src-shared/protocol/host-message.ts';
import type { SessionSummary } from '../../../src-shared/model/session.ts';
import type { TurnRecord } from '../../../src-shared/model/turn-envelope.ts';
import type { EngineFixture } from './engine-fixture.ts';
import { mainSession } from './messages.ts';

type Extra = Readonly<Record<string, unknown>>;

/** The calls that write the log, in short, for one session; `extra` goes into the request as it is. */
export function logSteps(fixture: EngineFixture, session: Extra & { readonly session_id: string } = mainSession) {
  const body = (messages: readonly MessageOrRef[], extra: Extra) => ({
    ...session,
    format: 'openclaw' as const,
    messages: [...messages],
    ...extra,
  });
  const find = async (): Promise<SessionSummary | undefined> => {
    const { items } = await fixture.send('sessions', { query: { limit: 1_000 } });
    return items.find(
      (row) => row.session_id === session.session_id && row.session_key === (session['session_key'] ?? ''),
    );
  };
  const records = async (): Promise<readonly TurnRecord[]> => {
    const found = await find();
    if (!found) return [];
    const all: TurnRecord[] = [];
    let cursor: string | undefined;
    do {
      const page = await fixture.send('sessionTurns', {
        params: { id: found.session_uid },
        query: { limit: 1_000, raw: 'true', ...(cursor === undefined ? {} : { cursor }) },
      });
      all.push(...page.items);
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    return all;
  };
  return {
    commit: (key: string, messages: readonly MessageOrRef[], extra: Extra = {}) =>
      fixture.send('commitTurn', { body: { ...body(messages, extra), advancement_key: key } }),
    after: (messages: readonly MessageOrRef[], extra: Extra = {}) =>
      fixture.send('afterTurn', { body: body(messages, extra) }),
    ingest: (messages: readonly MessageOrRef[], extra: Extra = {}) =>
      fixture.send('ingest', { body: body(messages, extra) }),
    bootstrap: (messages: readonly MessageOrRef[], extra: Extra = {}) =>
      fixture.send('bootstrap', { body: body(messages, extra) }),
    end: (reason: 'new' | 'reset' | 'idle' | 'daily' | 'deleted' | 'shutdown', extra: Extra = {}) =>
      fixture.send('sessionEnd', { body: { ...session, reason, ...extra } }),
    /** The session as listed, if it is there. */
    find,
    records,
    /** The host's original messages, in order. */
    messages: async (): Promise<readonly HostMessage[]> => (await records()).map((record) => record.raw as HostMessage),
  };
}
