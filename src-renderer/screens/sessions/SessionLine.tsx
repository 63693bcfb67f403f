import type { SessionSummary } from '../../../src-shared/model/session.ts';
import { HostInternalTag } from '../../components/HostInternalTag.tsx';
import { Time } from '../../components/Time.tsx';
import { formatCount } from '../../model/format-number.ts';
import { isHostInternal } from '../../model/is-host-internal.ts';
import { sessionName } from '../../model/session-name.ts';

const columns = [
  { name: 'Session', title: 'Session key, or the host’s session id' },
  { name: 'Agent', title: 'Agent id' },
  { name: 'Host’s session id', title: 'What the host calls it', wide: true },
  { name: 'Model', title: 'Model of the newest call' },
  { name: 'Strategy', title: 'Strategy that builds its context' },
  { name: 'Budget', title: 'Budget of the newest call, in tokens', right: true, wide: true },
  { name: 'Turns', title: 'Stored messages over all epochs', right: true },
  { name: 'Tokens', title: '≈ Tokens of all turns since the newest reset, o200k_base tokenizer', right: true },
  { name: 'Checkpoints', title: 'Compactions', right: true },
  { name: 'Calls', title: 'Assemble calls', right: true },
  {
    name: 'Epoch',
    title: 'How often the session was reset: epochs are the stretches between resets, counted from 0',
    right: true,
  },
  { name: 'Started', title: 'First turn or call', right: true, wide: true },
  { name: 'Last active', title: 'Newest turn or call', right: true },
] as const;

export function SessionLineHead() {
  return (
    <div className="session-line head" aria-hidden="true">
      {columns.map((column) => (
        <span
          key={column.name}
          className={`${'right' in column ? 'right' : ''}${'wide' in column ? ' wide-only' : ''}`}
          title={column.title}
        >
          {column.name}
        </span>
      ))}
    </div>
  );
}

/** A session with every column, for when the list has the whole width. */
export function SessionLine({ session }: { readonly session: SessionSummary }) {
  return (
    <div className="session-line">
      <span className="clip strong" title={sessionName(session)}>
        {isHostInternal(session) && (
          <>
            <HostInternalTag />{' '}
          </>
        )}
        {sessionName(session)}
        {session.ended !== undefined && <span className="dim"> · ended: {session.ended.reason}</span>}
        {session.state === 'compacting' && <span className="dim"> · compacting</span>}
      </span>
      <span className="clip">{session.agent_id}</span>
      <span className="clip mono dim wide-only">{session.session_id}</span>
      <span className="clip soft">{session.last_model ?? <span className="dim">no call yet</span>}</span>
      <span className="clip soft">{session.strategy}</span>
      <span className="num right wide-only">
        {session.last_budget === undefined ? <span className="dim">—</span> : formatCount(session.last_budget)}
      </span>
      <span className="num right">{formatCount(session.turn_count)}</span>
      <span className="num right">≈ {formatCount(session.epoch_tokens)}</span>
      <span className="num right">{formatCount(session.checkpoint_count)}</span>
      <span className="num right">{formatCount(session.call_count)}</span>
      <span className="num right">{formatCount(session.epoch)}</span>
      <span className="right soft wide-only">
        <Time iso={session.created_at} as="clock" />
      </span>
      <span className="right soft">
        <Time iso={session.last_active_at} />
      </span>
    </div>
  );
}
