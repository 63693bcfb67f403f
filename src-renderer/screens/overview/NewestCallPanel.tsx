import { useEffect } from 'react';
import { useStore } from 'zustand';
import { BudgetBar } from '../../components/BudgetBar.tsx';
import { Panel } from '../../components/Panel.tsx';
import { PlaceLink } from '../../components/PlaceLink.tsx';
import { Time } from '../../components/Time.tsx';
import { Tokens } from '../../components/Tokens.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatCount, formatShare } from '../../model/format-number.ts';
import { isHostInternal } from '../../model/is-host-internal.ts';
import { scaleUsed } from '../../model/scale-used.ts';
import { sessionName } from '../../model/session-name.ts';
import { counterSentence } from '../../model/token-counter-words.ts';

/** The newest call of the conversation that was active last; what the host does for itself is none. */
export function NewestCallPanel() {
  const { stores } = useApp();
  const uid = useStore(
    stores.sessions,
    (state) => state.items.find((item) => item.call_count > 0 && !isHostInternal(item))?.session_uid,
  );
  if (uid === undefined) {
    return (
      <Panel title="Newest call">
        <p className="dim">No call yet. An assemble call is one list of messages put together for the model.</p>
      </Panel>
    );
  }
  return <NewestCallOf key={uid} uid={uid} />;
}

function NewestCallOf({ uid }: { readonly uid: string }) {
  const { stores } = useApp();
  const { calls } = stores.session(uid);
  const call = useStore(calls, (state) => state.items[0]);
  useEffect(() => void calls.load(), [calls]);
  if (call === undefined) return <Panel title="Newest call">{null}</Panel>;
  return (
    <Panel title="Newest call" side={<Time iso={call.created_at} />}>
      <div className="newest-call">
        <p className="newest-line">
          <PlaceLink
            place={{ at: 'call', uid, callId: call.call_id, view: 'decisions' }}
            className="link clip"
            title={sessionName(call)}
          >
            {sessionName(call)}
          </PlaceLink>
          <span className="soft clip" title={call.model}>
            {call.model ?? 'model not named'}
          </span>
        </p>
        <BudgetBar used={scaleUsed(call.used, call.estimated_tokens)} budget={call.token_budget} size="large" />
        <p className="newest-line">
          <span>
            <Tokens value={call.estimated_tokens} counter={call.counter} explain={counterSentence(call.counter)} />
            <span className="unit"> of {formatCount(call.token_budget)} tokens</span>
          </span>
          <span className="num soft">
            {call.token_budget > 0 && `${formatShare(call.estimated_tokens / call.token_budget)} of budget`}
          </span>
        </p>
        <p className="soft">
          {formatCount(call.included)} included · {formatCount(call.trimmed)} trimmed · {formatCount(call.dropped)} left
          out
        </p>
      </div>
    </Panel>
  );
}
