import { useEffect } from 'react';
import { useApp } from '../../hooks/app-context.ts';
import { recallRequest } from '../../model/recall-request.ts';
import type { RecallPlace } from '../../navigation/memory-place.ts';
import { RecallForm } from './RecallForm.tsx';
import { RecallIntroduction } from './RecallIntroduction.tsx';
import { RecallAnswer } from './RecallAnswer.tsx';
import './recall.css';

/** What memory would give the model for a question, and why. The address keeps the question with its options. */
export function RecallScreen({ place }: { readonly place: RecallPlace }) {
  const { stores } = useApp();
  const request = recallRequest(place);
  useEffect(() => {
    void stores.memory.list.load();
    void stores.sessions.load();
  }, [stores]);
  return (
    <section className="full-list recall">
      {/* Another address fills the form anew; typing does not. */}
      <RecallForm key={JSON.stringify(place)} place={place} />
      {request === undefined ? (
        <RecallIntroduction />
      ) : (
        <RecallAnswer key={JSON.stringify(request)} place={place} request={request} />
      )}
    </section>
  );
}
