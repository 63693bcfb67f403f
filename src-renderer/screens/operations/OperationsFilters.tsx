import { useStore } from 'zustand';
import { MemoryActionMark } from '../../components/MemoryActionMark.tsx';
import { UriLink } from '../../components/UriLink.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatCount, formatNoun } from '../../model/format-number.ts';
import { memoryActions } from '../../model/operation-words.ts';
import type { OperationsPlace } from '../../navigation/memory-place.ts';
import { present } from '../../navigation/present.ts';

/** Narrows the list by what came of it; a page or a session that an address names can be let go. */
export function OperationsFilters({ place }: { readonly place: OperationsPlace }) {
  const { stores, navigation } = useApp();
  const { action, page, session } = place;
  const { items, total } = useStore(stores.memory.operations({ action, uri: page, session }));
  const show = (next: Omit<OperationsPlace, 'at'>) => navigation.step({ at: 'operations', ...next });
  return (
    <div className="list-head operations-head" role="group" aria-label="Filter operations">
      <div className="filter-set">
        {memoryActions.map((one) => (
          <button
            key={one}
            type="button"
            className="button small"
            aria-pressed={action === one}
            onClick={() => show(present({ action: action === one ? undefined : one, page, session }))}
          >
            <MemoryActionMark action={one} />
          </button>
        ))}
      </div>
      {page !== undefined && (
        <Named what="about" uri={page} onClear={() => show(present({ action, session }))} label="Show every page’s" />
      )}
      {session !== undefined && (
        <Named
          what="from"
          uri={`strata://session/default/${encodeURIComponent(session)}`}
          onClear={() => show(present({ action, page }))}
          label="Show every session’s"
        />
      )}
      <span className="list-count num">
        {items.length < total
          ? `${formatCount(items.length)} of ${formatNoun(total, 'operation')} read`
          : formatNoun(total, 'operation')}
      </span>
    </div>
  );
}

interface NamedProps {
  readonly what: string;
  readonly uri: string;
  readonly label: string;
  readonly onClear: () => void;
}

function Named({ what, uri, label, onClear }: NamedProps) {
  return (
    <span className="chip">
      {what} <UriLink uri={uri} />
      <button type="button" className="chip-clear" aria-label={label} title={label} onClick={onClear}>
        ×
      </button>
    </span>
  );
}
