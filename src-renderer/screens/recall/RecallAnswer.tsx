import { useEffect } from 'react';
import { useStore } from 'zustand';
import { ErrorState } from '../../components/ErrorState.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { recallDefaults, type SearchInput } from '../../model/recall-request.ts';
import type { RecallPlace } from '../../navigation/memory-place.ts';
import { CandidatesTable } from './CandidatesTable.tsx';
import { RecallSummary } from './RecallSummary.tsx';

interface Props {
  readonly place: RecallPlace;
  readonly request: SearchInput;
}

/** How the question was understood, and what became of every candidate. */
export function RecallAnswer({ place, request }: Props) {
  const { stores } = useApp();
  const store = stores.memory.search(request);
  const { value, error } = useStore(store);
  useEffect(() => void store.load(), [store]);
  if (value === undefined) {
    return error === undefined ? (
      <Skeleton label="Asking memory" rows={10} />
    ) : (
      <ErrorState title="Memory could not be asked" error={error} onRetry={() => void store.refresh()} />
    );
  }
  const budget = place.tokens ?? recallDefaults.tokens;
  return (
    <div className="recall-answer" tabIndex={-1}>
      <RecallSummary result={value} budget={budget} />
      <CandidatesTable result={value} min={place.min} />
    </div>
  );
}
