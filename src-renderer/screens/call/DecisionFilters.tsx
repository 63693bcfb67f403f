import type { DecisionAction, SegmentKind } from '../../../src-shared/model/trace.ts';
import { ActionMark } from '../../components/ActionMark.tsx';
import { FilterField } from '../../components/FilterField.tsx';
import { KindMark } from '../../components/KindMark.tsx';
import type { DecisionCounts } from '../../model/decision-rows.ts';
import { formatCount, formatNoun } from '../../model/format-number.ts';
import { segmentKinds } from '../../model/segment-kinds.ts';

interface Props {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly actions: ReadonlySet<DecisionAction>;
  readonly setActions: (actions: ReadonlySet<DecisionAction>) => void;
  readonly kinds: ReadonlySet<SegmentKind>;
  readonly setKinds: (kinds: ReadonlySet<SegmentKind>) => void;
  readonly counts: DecisionCounts;
  readonly shown: number;
  readonly total: number;
}

const allActions: readonly DecisionAction[] = ['included', 'trimmed', 'dropped'];

export function DecisionFilters(props: Props) {
  const { text, setText, actions, setActions, kinds, setKinds, counts, shown, total } = props;
  return (
    <div className="decision-filters" role="group" aria-label="Filter decisions">
      <FilterField value={text} onChange={setText} label="Filter decisions" hotKey />
      <div className="filter-set">
        {allActions.map((action) => (
          <button
            key={action}
            type="button"
            className="button small"
            aria-pressed={actions.has(action)}
            title={countSentence(counts, action)}
            onClick={() => setActions(toggled(actions, action))}
          >
            <ActionMark action={action} />
            <span className="num dim">{formatCount(counts.decisions.get(action) ?? 0)}</span>
          </button>
        ))}
      </div>
      <div className="filter-set">
        {segmentKinds
          .filter(({ kind }) => counts.kinds.has(kind))
          .map(({ kind, name }) => (
            <button
              key={kind}
              type="button"
              className="button small kind-filter"
              aria-pressed={kinds.has(kind)}
              title={`${name}: ${formatNoun(counts.kinds.get(kind) ?? 0, 'candidate')}`}
              onClick={() => setKinds(toggled(kinds, kind))}
            >
              <KindMark kind={kind} name={false} />
            </button>
          ))}
      </div>
      <span className="list-count num">
        {shown === total ? formatNoun(total, 'decision') : `${formatCount(shown)} of ${formatCount(total)}`}
      </span>
    </div>
  );
}

/** Where a row stands for many turns, how many candidates the rows are about. */
function countSentence(counts: DecisionCounts, action: DecisionAction): string {
  const candidates = formatNoun(counts.actions.get(action) ?? 0, 'candidate');
  const rows = formatNoun(counts.decisions.get(action) ?? 0, 'row');
  return `${candidates} in ${rows}: neighbouring turns with the same fate and reason are one row`;
}

function toggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}
