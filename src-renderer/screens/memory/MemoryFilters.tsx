import { useMemo, useState } from 'react';
import type { PageHead } from '../../../src-shared/model/memory-page.ts';
import { FilterField } from '../../components/FilterField.tsx';
import { PlaceLink } from '../../components/PlaceLink.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatCount, formatNoun } from '../../model/format-number.ts';
import type { MemoryPlace, PageMarkFilter } from '../../navigation/memory-place.ts';
import { present } from '../../navigation/present.ts';
import { NewPageDialog } from './NewPageDialog.tsx';

interface Props {
  readonly place: MemoryPlace;
  readonly pages: readonly PageHead[];
  readonly shown: number;
}

const marks: readonly (readonly [PageMarkFilter, string])[] = [
  ['active', 'active'],
  ['superseded', 'superseded'],
  ['retired', 'retired'],
  ['pinned', 'pinned'],
  ['problem', 'unreadable'],
];

/** Narrows the tree by text, kind and state; the address keeps it. */
export function MemoryFilters({ place, pages, shown }: Props) {
  const { navigation } = useApp();
  const [making, setMaking] = useState(false);
  const kinds = useMemo(
    () => [...new Set([...pages.map((page) => page.kind), ...(place.kind === undefined ? [] : [place.kind])])].sort(),
    [pages, place.kind],
  );
  const filter = (next: Partial<Record<'find' | 'kind' | 'mark', string | undefined>>) => {
    const { find, kind, mark } = { find: place.find, kind: place.kind, mark: place.mark, ...next };
    navigation.step({
      at: 'memory',
      ...present({
        page: place.page,
        view: place.view,
        find: find === '' ? undefined : find,
        kind,
        mark: marks.find(([name]) => name === mark)?.[0],
      }),
    });
  };
  return (
    <div className="memory-head" role="search" aria-label="Filter files">
      <div className="memory-head-line">
        <FilterField
          value={place.find ?? ''}
          onChange={(find) => filter({ find })}
          label="Filter by title, name, tag or abstract"
          hotKey
        />
        <button type="button" className="button small" onClick={() => setMaking(true)}>
          New page
        </button>
      </div>
      <div className="memory-head-line">
        <select
          className="field small"
          aria-label="Kind"
          value={place.kind ?? ''}
          onChange={(event) => filter({ kind: event.target.value === '' ? undefined : event.target.value })}
        >
          <option value="">every kind</option>
          {kinds.map((kind) => (
            <option key={kind}>{kind}</option>
          ))}
        </select>
        <select
          className="field small"
          aria-label="State"
          value={place.mark ?? ''}
          onChange={(event) => filter({ mark: event.target.value })}
        >
          <option value="">every state</option>
          {marks.map(([name, word]) => (
            <option key={name} value={name}>
              {word}
            </option>
          ))}
        </select>
        <span className="list-count num">
          {shown < pages.length
            ? `${formatCount(shown)} of ${formatNoun(pages.length, 'file')}`
            : formatNoun(shown, 'file')}
        </span>
        <PlaceLink place={{ at: 'operations' }} className="link memory-operations">
          Operations
        </PlaceLink>
      </div>
      {making && <NewPageDialog beside={place.page} onClose={() => setMaking(false)} />}
    </div>
  );
}
