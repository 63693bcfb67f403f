import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { TraceItem } from '../../../src-shared/model/trace.ts';
import { ErrorState } from '../../components/ErrorState.tsx';
import { MessageView } from '../../components/MessageView.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { createValueStore } from '../../stores/create-value-store.ts';
import { readStoredTurn } from '../../stores/read-stored-turn.ts';

interface Props {
  readonly uid: string;
  readonly item: TraceItem;
}

/** A candidate that was not sent: read from the log, where every stored turn is whole. */
export function StoredTurn({ uid, item }: Props) {
  if (item.sequence !== undefined) return <LoggedTurn uid={uid} sequence={item.sequence} />;
  return (
    <p className="soft">
      This message was not sent and is not in the log, so only its beginning is on record: “{item.preview}”
    </p>
  );
}

function LoggedTurn({ uid, sequence }: { readonly uid: string; readonly sequence: number }) {
  const { stores } = useApp();
  const turn = useMemo(
    () => createValueStore(() => readStoredTurn(stores.client, uid, sequence), Date.now),
    [stores, uid, sequence],
  );
  const state = useStore(turn);
  useEffect(() => void turn.load(), [turn]);
  if (state.value !== undefined) return <MessageView message={state.value.raw} name={`turn ${sequence}`} />;
  return state.error === undefined ? (
    <Skeleton label="Reading the turn" rows={3} />
  ) : (
    <ErrorState title="The turn could not be read" error={state.error} onRetry={() => void turn.refresh()} />
  );
}
