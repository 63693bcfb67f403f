import type { SessionSummary } from '../../../src-shared/model/session.ts';
import { CopyButton } from '../../components/CopyButton.tsx';
import { Explained } from '../../components/Explained.tsx';
import { HostInternalTag } from '../../components/HostInternalTag.tsx';
import { Stat } from '../../components/Stat.tsx';
import { Time } from '../../components/Time.tsx';
import { Tokens } from '../../components/Tokens.tsx';
import { formatCount } from '../../model/format-number.ts';
import { isHostInternal } from '../../model/is-host-internal.ts';
import { sessionName } from '../../model/session-name.ts';
import { termMeanings } from '../../model/term-meanings.ts';

export function SessionHeader({ session }: { readonly session: SessionSummary }) {
  return (
    <header className="detail-head">
      <div className="detail-title">
        <h2 className="clip" title={`${sessionName(session)}\n${session.uri}`}>
          {sessionName(session)}
        </h2>
        {isHostInternal(session) && <HostInternalTag />}
        <CopyButton text={session.session_uid} label="Copy id" />
      </div>
      <dl className="stats">
        <Stat name="Agent">{session.agent_id}</Stat>
        <Stat name="Model">{session.last_model ?? '—'}</Stat>
        <Stat name="Strategy">{session.strategy}</Stat>
        <Stat name="Tokens since reset">
          <Tokens
            value={session.epoch_tokens}
            counter="tokenizer"
            explain="Tokens of all turns of the present epoch, counted with the o200k_base tokenizer, not corrected by provider reports. What a call sends is shown with the call."
          />
        </Stat>
        <Stat name="Turns since reset">
          <Explained text={termMeanings.turn}>
            <span className="num">
              {formatCount(session.epoch_turn_count)}
              {session.epoch > 0 && <span className="dim"> of {formatCount(session.turn_count)}</span>}
            </span>
          </Explained>
        </Stat>
        <Stat name="Epoch" title={termMeanings.epoch}>
          <Explained text={termMeanings.epoch}>
            <span className="num">{session.epoch}</span>
          </Explained>
        </Stat>
        <Stat name="Last active">
          <Time iso={session.last_active_at} />
        </Stat>
        {session.ended !== undefined && (
          <Stat name="Ended">
            {session.ended.reason}, <Time iso={session.ended.at} />
          </Stat>
        )}
        {session.parent_session_key !== undefined && (
          <Stat name="Parent session">
            <span title={session.parent_session_key}>{session.parent_session_key}</span>
          </Stat>
        )}
      </dl>
    </header>
  );
}
