import { ActionMark } from '../../../components/ActionMark.tsx';
import { KindMark } from '../../../components/KindMark.tsx';
import { diffGroupWords, type DiffRow } from '../../../model/diff-rows.ts';
import type { DecisionRow } from '../../../model/decision-rows.ts';
import { formatCount, formatDelta } from '../../../model/format-number.ts';
import type { DiffSide } from '../../../../src-shared/protocol/diff.ts';

/** One item: what it is, how it stood before and after, and the tokens that makes. */
export function DiffLine({ row }: { readonly row: DiffRow }) {
  const { entry, group, before, after } = row;
  const words = diffGroupWords(group);
  const known = after ?? before;
  return (
    <div className="diff-line">
      <span className={`diff-mark ${group}`} title={words.meaning}>
        <span aria-hidden="true">{words.sign}</span>
        <span className="visually-hidden">{words.word}</span>
      </span>
      <KindMark kind={entry.kind} name={false} />
      <span className="item-cell">
        <span className="item-label">
          {known?.item !== undefined && <span className="role">{known.item.role}</span>}
          <span className="num dim">{known?.label ?? entry.item}</span>
        </span>
        <span className="item-preview clip">{entry.preview}</span>
      </span>
      <Side side={entry.before} row={before} />
      <span className="dim" aria-hidden="true">
        →
      </span>
      <Side side={entry.after} row={after} />
      <span className={`num right diff-delta${entry.tokens_delta === 0 ? ' dim' : ''}`}>
        {formatDelta(entry.tokens_delta)}
      </span>
    </div>
  );
}

function Side({ side, row }: { readonly side: DiffSide | undefined; readonly row: DecisionRow | undefined }) {
  if (side === undefined) return <span className="dim diff-side">no candidate</span>;
  return (
    <span className="diff-side" title={row?.reason}>
      <ActionMark action={side.action} word={false} />
      <span className="num">{formatCount(side.tokens_after)}</span>
      <span className="clip soft diff-reason">{row?.reason ?? side.reason.replaceAll('_', ' ')}</span>
    </span>
  );
}
