import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { AssembleTrace } from '../../../../src-shared/model/trace.ts';
import { diffCalls } from '../../../../src-shared/diff/diff-calls.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { PlaceLink } from '../../../components/PlaceLink.tsx';
import { Skeleton } from '../../../components/Skeleton.tsx';
import { useApp } from '../../../hooks/app-context.ts';
import { usePreviousCall } from '../../../hooks/use-previous-call.ts';
import { decisionRows } from '../../../model/decision-rows.ts';
import { diffRows } from '../../../model/diff-rows.ts';
import { CallPicker } from './CallPicker.tsx';
import { DiffSummary } from './DiffSummary.tsx';
import { DiffTable } from './DiffTable.tsx';
import './diff.css';

interface Props {
  readonly uid: string;
  readonly trace: AssembleTrace;
  /** The call that it is held against; the one before, when the address names none. */
  readonly against: string | undefined;
}

/** What this call has otherwise than another one. */
export function CallDiffView({ uid, trace, against }: Props) {
  const { navigation } = useApp();
  const previous = usePreviousCall(uid, trace.call_id);
  const chosen = against ?? previous.call?.call_id;
  const choose = (callId: string) =>
    navigation.go({ at: 'call', uid, callId: trace.call_id, view: 'diff', against: callId });
  return (
    <div className="diff-view">
      <div className="diff-head">
        <CallPicker uid={uid} callId={trace.call_id} chosen={chosen} onChoose={choose} />
        {chosen !== undefined && (
          <PlaceLink place={{ at: 'call', uid, callId: chosen, view: 'decisions' }}>Open that call</PlaceLink>
        )}
        {against === undefined && chosen !== undefined && <span className="dim">the call before</span>}
      </div>
      {chosen !== undefined ? (
        <Compared key={chosen} uid={uid} trace={trace} other={chosen} />
      ) : previous.state === 'failed' && previous.error !== undefined ? (
        <ErrorState title="The calls could not be read" error={previous.error} />
      ) : previous.state === 'reading' ? (
        <Skeleton label="Looking for the call before" rows={6} />
      ) : (
        <EmptyState title="Nothing to compare with">
          <p>This is the first call of the session. The next one can be held against it.</p>
        </EmptyState>
      )}
    </div>
  );
}

function Compared({
  uid,
  trace,
  other,
}: {
  readonly uid: string;
  readonly trace: AssembleTrace;
  readonly other: string;
}) {
  const { stores } = useApp();
  const session = stores.session(uid);
  const before = session.call(other);
  const after = session.call(trace.call_id);
  const state = useStore(before.trace);
  useEffect(() => void before.trace.load(), [before]);
  const older = state.value?.trace;
  const compared = useMemo(() => {
    if (older === undefined) return undefined;
    const diff = diffCalls(older, trace);
    return { diff, rows: diffRows(diff, decisionRows(older), decisionRows(trace)) };
  }, [older, trace]);
  if (compared === undefined) {
    return state.error === undefined ? (
      <Skeleton label="Reading the other call" rows={8} />
    ) : (
      <ErrorState
        title="The other call could not be read"
        error={state.error}
        onRetry={() => void before.trace.refresh()}
      />
    );
  }
  return (
    <>
      <DiffSummary diff={compared.diff} />
      <DiffTable
        rows={compared.rows}
        bodies={{ before: before.messages, after: after.messages, names: { before: 'That call', after: 'This call' } }}
        nothing="The two calls are the same, item by item."
      />
    </>
  );
}
