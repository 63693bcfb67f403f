import { useMemo, useState } from 'react';
import type { RecallResult } from '../../../src-shared/model/recall.ts';
import { PartMark } from '../../components/ScoreBar.tsx';
import { VirtualList } from '../../components/VirtualList.tsx';
import { formatCount } from '../../model/format-number.ts';
import { legendParts, partMeaning } from '../../model/score-parts.ts';
import { CandidateRow, CandidateRowHead } from './CandidateRow.tsx';

interface Props {
  readonly result: RecallResult;
  readonly min: number | undefined;
}

type Shown = 'all' | 'packed' | 'left out';

/** Every candidate that is listed, best first, each opened to its text and the parts of its score. */
export function CandidatesTable({ result, min }: Props) {
  const { candidates } = result;
  const [shown, setShown] = useState<Shown>('all');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const legend = useMemo(() => legendParts(candidates), [candidates]);
  const packed = useMemo(() => candidates.filter((candidate) => candidate.packed), [candidates]);
  const rows = useMemo(
    () => (shown === 'all' ? candidates : candidates.filter((candidate) => candidate.packed === (shown === 'packed'))),
    [candidates, shown],
  );
  const counts: Readonly<Record<Shown, number>> = {
    all: candidates.length,
    packed: packed.length,
    'left out': candidates.length - packed.length,
  };
  if (candidates.length === 0) return null;
  const toggle = (key: string) => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };
  return (
    <section className="candidates" aria-label="Candidates">
      <div className="candidates-head">
        <div className="filter-set" role="group" aria-label="Which candidates">
          {(['all', 'packed', 'left out'] as const).map((name) => (
            <button
              key={name}
              type="button"
              className="button small"
              aria-pressed={shown === name}
              onClick={() => setShown(name)}
            >
              {name[0]?.toUpperCase()}
              {name.slice(1)} <span className="num dim">{formatCount(counts[name])}</span>
            </button>
          ))}
        </div>
        <div className="legend" aria-label="Parts of the score">
          {legend.map((name) => (
            <PartMark key={name} name={name} title={partMeaning(name)} />
          ))}
        </div>
      </div>
      <CandidateRowHead />
      <VirtualList
        items={rows}
        keyOf={(candidate) => candidate.uri}
        rowHeight={52}
        label="Candidates, best first"
        hotKeys
        expanded={open}
        onOpen={(candidate) => toggle(candidate.uri)}
        renderRow={(candidate) => (
          <CandidateRow
            candidate={candidate}
            rank={candidates.indexOf(candidate) + 1}
            min={min}
            open={open.has(candidate.uri)}
          />
        )}
        foot={
          result.considered > candidates.length
            ? `${formatCount(candidates.length)} of ${formatCount(result.considered)} candidates are listed: the packed ones and the best of the others`
            : undefined
        }
      />
    </section>
  );
}
