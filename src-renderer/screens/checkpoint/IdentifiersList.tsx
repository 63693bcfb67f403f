import { useDeferredValue, useMemo, useState } from 'react';
import type { CheckpointRecord } from '../../../src-shared/model/checkpoint.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { FilterField } from '../../components/FilterField.tsx';
import { Mark } from '../../components/Mark.tsx';
import { VirtualList } from '../../components/VirtualList.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatCount } from '../../model/format-number.ts';
import {
  countFates,
  fateMeaning,
  fateWord,
  matchesIdentifier,
  type IdentifierFate,
  type IdentifierRow,
} from '../../model/identifier-rows.ts';
import type { CheckpointPlace } from '../../navigation/place.ts';

interface Props {
  readonly place: CheckpointPlace;
  readonly checkpoint: CheckpointRecord;
  readonly rows: readonly IdentifierRow[];
}

const fates: readonly IdentifierFate[] = ['lost', 'repaired', 'kept'];
const fills = { lost: 'none', repaired: 'half', kept: 'full' } as const;

/** What became of the paths, names, hashes and numbers of the source; each leads to the turns that have it. */
export function IdentifiersList({ place, checkpoint, rows }: Props) {
  const { navigation } = useApp();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<IdentifierFate>();
  const sought = useDeferredValue(text.trim());
  const counts = useMemo(() => countFates(rows), [rows]);
  const shown = useMemo(
    () => rows.filter((row) => (chosen === undefined || row.fate === chosen) && matchesIdentifier(row, sought)),
    [rows, chosen, sought],
  );
  if (rows.length === 0) {
    return (
      <EmptyState title="No identifier">
        <p>
          {checkpoint.identifier_policy === 'none'
            ? 'This compaction ran with the policy “none”: identifiers were not looked for.'
            : 'The source has no path, name, hash, address or number that a summary would have to keep.'}
        </p>
      </EmptyState>
    );
  }
  const find = ({ name }: IdentifierRow) => {
    const { at, uid, checkpointId } = place;
    navigation.go({ at, uid, checkpointId, view: 'turns', find: name });
  };
  return (
    <>
      <div className="pane-tools">
        <FilterField value={text} onChange={setText} label="Filter identifiers" hotKey />
        <div className="filter-set" role="group" aria-label="What became of them">
          {fates.map((fate) => (
            <button
              key={fate}
              type="button"
              className="button small"
              aria-pressed={chosen === fate}
              title={fateMeaning(fate)}
              onClick={() => setChosen(chosen === fate ? undefined : fate)}
            >
              <FateMark fate={fate} count={counts[fate]} />
              <span className="num dim">{formatCount(counts[fate])}</span>
            </button>
          ))}
        </div>
        {shown.length < rows.length && (
          <span className="list-count num">
            {formatCount(shown.length)} of {formatCount(rows.length)}
          </span>
        )}
      </div>
      <VirtualList
        items={shown}
        keyOf={(row) => `${row.fate} ${row.name}`}
        rowHeight={30}
        label="Identifiers: lost, repaired, kept"
        onOpen={find}
        renderRow={(row) => (
          <div className="identifier-line" title="Find the turns that have it">
            <FateMark fate={row.fate} count={1} />
            <code className="clip" dir="auto">
              {row.name}
            </code>
            <span className="dim identifier-find">find turns</span>
          </div>
        )}
        foot={shown.length === 0 ? 'No identifier matches.' : undefined}
      />
    </>
  );
}

function FateMark({ fate, count }: { readonly fate: IdentifierFate; readonly count: number }) {
  return (
    <Mark
      fill={fills[fate]}
      word={fateWord(fate)}
      tone={fate === 'lost' && count > 0 ? 'danger' : 'plain'}
      title={fateMeaning(fate)}
    />
  );
}
