import { useMemo } from 'react';
import { diffLines } from '../model/diff-lines.ts';
import { foldDiff } from '../model/fold-diff.ts';
import { formatCount, formatNoun } from '../model/format-number.ts';
import './LineDiff.css';

interface Props {
  readonly before: string;
  readonly after: string;
  readonly label: string;
  /** Leaves out long stretches that are equal. */
  readonly fold?: boolean;
}

const signs = { same: ' ', removed: '−', added: '+', folded: '⋯' } as const;
/** Rows beyond this would make the page slow; a change of so many lines is not read line by line. */
const mostRows = 4_000;

/** Two texts line by line, as text. */
export function LineDiff({ before, after, label, fold = false }: Props) {
  const lines = useMemo(() => {
    const all = diffLines(before, after);
    return fold ? foldDiff(all) : all;
  }, [before, after, fold]);
  return (
    <ol className="diff" tabIndex={0} aria-label={label}>
      {lines.slice(0, mostRows).map((line, index) => (
        <li key={index} className={line.kind}>
          <span className="diff-sign" aria-label={line.kind === 'same' ? undefined : line.kind}>
            {signs[line.kind]}
          </span>
          {line.kind === 'folded' ? (
            <span>{formatNoun(line.count, 'equal line')}</span>
          ) : (
            <span dir="auto">{line.text}</span>
          )}
        </li>
      ))}
      {lines.length > mostRows && (
        <li className="folded">
          <span className="diff-sign">⋯</span>
          <span>{formatCount(lines.length - mostRows)} more lines differ</span>
        </li>
      )}
    </ol>
  );
}
