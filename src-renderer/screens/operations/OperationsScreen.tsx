import { useEffect } from 'react';
import { useApp } from '../../hooks/app-context.ts';
import type { OperationsPlace } from '../../navigation/memory-place.ts';
import { present } from '../../navigation/present.ts';
import { OperationsFilters } from './OperationsFilters.tsx';
import { OperationsList } from './OperationsList.tsx';

/** The audit history of memory: everything that was judged, newest first. */
export function OperationsScreen({ place }: { readonly place: OperationsPlace }) {
  const { stores, navigation } = useApp();
  useEffect(() => {
    void stores.memory.list.load();
    void stores.sessions.load();
  }, [stores]);
  const { action, page, session, operation } = place;
  const isFiltered = action !== undefined || page !== undefined || session !== undefined;
  return (
    <section className="full-list">
      <OperationsFilters place={place} />
      <OperationsList
        filter={{ action, uri: page, session }}
        open={operation}
        onOpen={(next) => navigation.step({ at: 'operations', ...present({ action, page, session, operation: next }) })}
        empty={
          isFiltered ? (
            <p>No operation matches the filter.</p>
          ) : (
            <p>
              Whenever something could be remembered, it is judged first: is it durable, new, useful, and may it be
              kept? What came of it is listed here with its reason, also when nothing was written. Tell your agent to
              remember something, or compact a session.
            </p>
          )
        }
      />
    </section>
  );
}
