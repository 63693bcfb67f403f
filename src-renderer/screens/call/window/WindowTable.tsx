import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { AssembleTrace } from '../../../../src-shared/model/trace.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { VirtualList } from '../../../components/VirtualList.tsx';
import { useApp } from '../../../hooks/app-context.ts';
import { formatNoun } from '../../../model/format-number.ts';
import {
  windowItems,
  windowLines,
  type WindowGrouping,
  type WindowLine,
  type WindowSort,
} from '../../../model/window-items.ts';
import { WindowRow } from './WindowRow.tsx';
import './window.css';

interface Props {
  readonly uid: string;
  readonly trace: AssembleTrace;
}

const groupings: readonly { readonly value: WindowGrouping; readonly name: string }[] = [
  { value: 'none', name: 'No groups' },
  { value: 'kind', name: 'By kind' },
  { value: 'tool', name: 'By tool' },
  { value: 'page', name: 'By page' },
  { value: 'source', name: 'By source' },
];

const columns: readonly { readonly sort: WindowSort | undefined; readonly name: string; readonly title: string }[] = [
  { sort: 'order', name: '#', title: 'The order in which the model reads it' },
  { sort: 'kind', name: 'Kind', title: 'Kind of segment' },
  { sort: undefined, name: 'Item', title: 'What it is' },
  { sort: 'source', name: 'Source', title: 'Passed by the host, read from the log, or written by the engine' },
  { sort: 'tokens', name: 'Tokens', title: 'Tokens of the item in this call, an estimate by our tokenizer' },
  { sort: undefined, name: 'Share', title: 'Share of all tokens that were sent' },
  { sort: 'age', name: 'Age', title: 'How old it was when the call was made' },
];

const keyOf = (line: WindowLine): string =>
  line.group === undefined ? String(line.item.row.decision.seq) : `group ${line.group.name}`;

/** The window as a table: what took how much, from where, and how old it was. */
export function WindowTable({ uid, trace }: Props) {
  const { stores, navigation } = useApp();
  const { messages } = stores.session(uid).call(trace.call_id);
  const reply = useStore(messages, (state) => state.value);
  const failed = useStore(messages, (state) => state.error !== undefined);
  useEffect(() => void messages.load(), [messages]);
  const [grouping, setGrouping] = useState<WindowGrouping>('none');
  const [sort, setSort] = useState<{ readonly by: WindowSort; readonly descending: boolean }>(byOrder);
  const items = useMemo(() => windowItems(trace, reply), [trace, reply]);
  const lines = useMemo(() => windowLines(items, grouping, sort.by, sort.descending), [items, grouping, sort]);
  const sortBy = (by: WindowSort) =>
    setSort({ by, descending: sort.by === by ? !sort.descending : by === 'tokens' || by === 'age' });
  if (items.length === 0) {
    return (
      <EmptyState title="The window is empty">
        <p>Nothing was sent beside what the host puts in itself. The decisions say why.</p>
      </EmptyState>
    );
  }
  return (
    <section className="window-table" aria-label="Items of the window">
      <div className="decision-filters">
        <div className="filter-set" role="group" aria-label="Group the items">
          {groupings.map(({ value, name }) => (
            <button
              key={value}
              type="button"
              className="button small"
              aria-pressed={grouping === value}
              onClick={() => setGrouping(value)}
            >
              {name}
            </button>
          ))}
        </div>
        {reply === undefined && (
          <span className="dim">{failed ? 'Tools and ages could not be read' : 'Reading tools and ages'}</span>
        )}
        <span className="list-count num">{formatNoun(items.length, 'item')}</span>
      </div>
      <div className="window-line head">
        {columns.map((column) => (
          <Head key={column.name} {...column} sorted={sort.by === column.sort ? sort : undefined} onSort={sortBy} />
        ))}
      </div>
      <VirtualList
        items={lines}
        keyOf={keyOf}
        rowHeight={33}
        label="Items of the window"
        onOpen={(line) => {
          if (line.item === undefined) return;
          const { seq } = line.item.row.decision;
          navigation.go({ at: 'call', uid, callId: trace.call_id, view: 'decisions', step: seq });
        }}
        renderRow={(line) => <WindowRow line={line} />}
      />
    </section>
  );
}

const byOrder = { by: 'order', descending: false } as const;

interface HeadProps {
  readonly sort: WindowSort | undefined;
  readonly name: string;
  readonly title: string;
  readonly sorted: { readonly descending: boolean } | undefined;
  readonly onSort: (by: WindowSort) => void;
}

function Head({ sort, name, title, sorted, onSort }: HeadProps) {
  if (sort === undefined) {
    return (
      <span className="column-head" title={title}>
        {name}
      </span>
    );
  }
  const direction = sorted === undefined ? '' : sorted.descending ? 'descending' : 'ascending';
  return (
    <button
      type="button"
      className="column-head"
      title={title}
      aria-label={`Sort by ${name === '#' ? 'order' : name}${direction === '' ? '' : `, now ${direction}`}`}
      onClick={() => onSort(sort)}
    >
      {name}
      <span aria-hidden="true">{direction === '' ? '' : direction === 'ascending' ? ' ↑' : ' ↓'}</span>
    </button>
  );
}
