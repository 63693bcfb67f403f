import { useMemo, useState } from 'react';
import { FilterField } from '../../../components/FilterField.tsx';
import { VirtualList } from '../../../components/VirtualList.tsx';
import { countGroups, diffGroups, diffGroupWords, type DiffGroup, type DiffRow } from '../../../model/diff-rows.ts';
import { formatCount, formatNoun } from '../../../model/format-number.ts';
import { DiffLine } from './DiffLine.tsx';
import { DiffRowDetail, type DiffBodies } from './DiffRowDetail.tsx';

interface Props {
  readonly rows: readonly DiffRow[];
  readonly bodies: DiffBodies;
  /** Said where nothing differs. */
  readonly nothing: string;
}

const keyOf = (row: DiffRow): string => row.key;

/** Every item of two calls that differs, and on demand those that do not. */
export function DiffTable({ rows, bodies, nothing }: Props) {
  const [text, setText] = useState('');
  const [groups, setGroups] = useState<ReadonlySet<DiffGroup>>(new Set());
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const counts = useMemo(() => countGroups(rows), [rows]);
  const shownGroups = useMemo(() => (groups.size > 0 ? groups : groupsAtFirst(counts)), [groups, counts]);
  const shown = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/);
    return rows.filter((row) => shownGroups.has(row.group) && words.every((word) => row.search.includes(word)));
  }, [rows, shownGroups, text]);
  const toggleGroup = (group: DiffGroup) => setGroups(toggled(groups, group));
  const differing = rows.length - counts.same;
  return (
    <section className="diff-table" aria-label="Items that differ">
      <div className="decision-filters" role="group" aria-label="Filter differences">
        <FilterField value={text} onChange={setText} label="Filter items" hotKey />
        <div className="filter-set">
          {diffGroups
            .filter((group) => counts[group] > 0)
            .map((group) => (
              <button
                key={group}
                type="button"
                className="button small"
                aria-pressed={groups.has(group)}
                title={diffGroupWords(group).meaning}
                onClick={() => toggleGroup(group)}
              >
                <span className={`diff-mark ${group}`} aria-hidden="true">
                  {diffGroupWords(group).sign}
                </span>
                {diffGroupWords(group).word} <span className="num dim">{formatCount(counts[group])}</span>
              </button>
            ))}
        </div>
        <span className="list-count num">{formatNoun(differing, 'difference')}</span>
      </div>
      {shown.length === 0 ? (
        <p className="decisions-none">
          {differing === 0 ? nothing : `No difference matches the filter; ${formatCount(differing)} are hidden.`}
        </p>
      ) : (
        <VirtualList
          items={shown}
          keyOf={keyOf}
          rowHeight={44}
          label="Items that differ"
          expanded={open}
          onOpen={(row) => setOpen(toggled(open, row.key))}
          renderRow={(row) => (
            <>
              <DiffLine row={row} />
              {open.has(row.key) && <DiffRowDetail row={row} bodies={bodies} />}
            </>
          )}
        />
      )}
    </section>
  );
}

/** What the model saw otherwise; where it saw nothing otherwise, what differs about the rest. */
function groupsAtFirst(counts: Readonly<Record<DiffGroup, number>>): ReadonlySet<DiffGroup> {
  const seen: readonly DiffGroup[] = ['entered', 'left', 'changed', 'moved'];
  return new Set(seen.some((group) => counts[group] > 0) ? seen : ['aside']);
}

function toggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}
