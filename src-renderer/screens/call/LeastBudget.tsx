import { useMemo } from 'react';
import { useStore } from 'zustand';
import { ErrorLine } from '../../components/ErrorLine.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { leastBudgetSentence } from '../../model/least-budget-sentence.ts';
import { createActionStore } from '../../stores/create-action-store.ts';

interface Props {
  readonly callId: string;
  readonly item: string;
}

/** On demand: with what budget the call would have sent an item that it left out. Nothing is recorded by asking. */
export function LeastBudget({ callId, item }: Props) {
  const { stores } = useApp();
  const asking = useMemo(
    () =>
      createActionStore(
        () => stores.client.call('minimalBudget', { params: { id: callId }, body: { item } }),
        Date.now,
      ),
    [stores, callId, item],
  );
  const state = useStore(asking);
  if (state.result !== undefined) {
    return (
      <div className="least-budget" role="status">
        <p>{leastBudgetSentence(state.result)}</p>
        {state.result.notes.map((note) => (
          <p key={`${note.code} ${note.item ?? ''}`} className="note">
            {note.message}
          </p>
        ))}
      </div>
    );
  }
  return (
    <>
      <button
        type="button"
        className="button small"
        disabled={state.status === 'running'}
        onClick={() => void asking.run(undefined)}
      >
        {state.status === 'running' ? 'Trying budgets…' : 'Least budget that sends it'}
      </button>
      {state.error !== undefined && <ErrorLine title="The call could not be run again" error={state.error} />}
    </>
  );
}
