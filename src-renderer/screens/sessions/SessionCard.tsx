import type { SessionSummary } from '../../../src-shared/model/session.ts';
import { HostInternalTag } from '../../components/HostInternalTag.tsx';
import { Time } from '../../components/Time.tsx';
import { formatNoun } from '../../model/format-number.ts';
import { isHostInternal } from '../../model/is-host-internal.ts';
import { sessionName } from '../../model/session-name.ts';

/** A session in the narrow list beside its detail. */
export function SessionCard({ session }: { readonly session: SessionSummary }) {
  return (
    <div className="session-card">
      <div className="card-line">
        <span className="clip strong" title={sessionName(session)}>
          {sessionName(session)}
        </span>
        <span className="card-time">
          <Time iso={session.last_active_at} />
        </span>
      </div>
      <div className="card-line soft">
        <span className="clip">
          {isHostInternal(session) && (
            <>
              <HostInternalTag />{' '}
            </>
          )}
          {session.agent_id}
          {session.state === 'compacting' && ' · compacting'}
          {session.ended !== undefined && ` · ended: ${session.ended.reason}`}
        </span>
        <span className="num dim">
          {formatNoun(session.turn_count, 'turn')} · {formatNoun(session.call_count, 'call')}
        </span>
      </div>
    </div>
  );
}
