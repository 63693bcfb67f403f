import { useEffect } from 'react';
import { useStore } from 'zustand';
import { CheckpointLink } from '../../components/CheckpointLink.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { checkpointIdOf, checkpointsOver } from '../../model/checkpoint-over.ts';
import type { DecisionRow } from '../../model/decision-rows.ts';

interface Props {
  readonly uid: string;
  readonly callId: string;
  readonly row: DecisionRow;
}

/** Links from a decision to the checkpoints that it is about: its own summary, or those that cover its turns. */
export function DecisionCheckpoints({ uid, callId, row: { item, decision } }: Props) {
  const own = checkpointIdOf(item?.uri);
  if (own !== undefined) {
    return (
      <p className="soft">
        The summary of <CheckpointLink uid={uid} checkpointId={own} />: see beside it what it was made of.
      </p>
    );
  }
  if (decision.reason !== 'covered_by_checkpoint' || item?.sequence === undefined) return null;
  return <Covering uid={uid} callId={callId} from={item.sequence} to={item.end_sequence ?? item.sequence} />;
}

interface CoveringProps {
  readonly uid: string;
  readonly callId: string;
  readonly from: number;
  readonly to: number;
}

/** More are named as a number: a long range may lie under hundreds. */
const shown = 8;

function Covering({ uid, callId, from, to }: CoveringProps) {
  const { stores } = useApp();
  const session = stores.session(uid);
  const items = useStore(session.checkpoints, (state) => state.items);
  const at = useStore(session.call(callId).trace, (state) => state.value?.trace.created_at);
  useEffect(() => void session.checkpoints.load(), [session]);
  const found = at === undefined ? [] : checkpointsOver(items, { from, to }, at);
  if (found.length === 0) return null;
  return (
    <p className="soft">
      What stood for {from === to ? 'it' : 'them'} in this call:{' '}
      {found.slice(0, shown).map(({ checkpoint_id: id }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <CheckpointLink uid={uid} checkpointId={id} />
        </span>
      ))}
      {found.length > shown && ` and ${found.length - shown} more`}.
    </p>
  );
}
