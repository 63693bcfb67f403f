import type { ReactNode } from 'react';
import type { TurnRecord } from '../../../src-shared/model/turn-envelope.ts';
import { formatCount } from '../../model/format-number.ts';
import { excerptAround } from '../../model/turn-search.ts';
import { TurnDetail } from '../turns/TurnDetail.tsx';

interface Props {
  readonly uid: string;
  readonly record: TurnRecord;
  /** Text that is looked for. */
  readonly sought: string;
  /** Nothing in the summary speaks of it. */
  readonly uncovered: boolean;
  readonly open: boolean;
}

/** A turn beside the summary that stands for it; opened to the whole of it. */
export function SourceTurnRow({ uid, record, sought, uncovered, open }: Props) {
  const { turn } = record;
  return (
    <>
      <div className={`source-turn${uncovered ? ' uncovered' : ''}`}>
        <span className="num dim right">{formatCount(turn.sequence)}</span>
        <span className="soft clip">{turn.role}</span>
        <span className="turn-message">
          {uncovered && (
            <span className="tag warn" title="Nothing in the summary speaks of this turn">
              uncovered
            </span>
          )}
          <span className="clip" dir="auto">
            <Marked text={excerptAround(record, sought) ?? record.preview} sought={sought} />
          </span>
        </span>
        <span className="num right dim" title="≈ Tokens, o200k_base tokenizer">
          {formatCount(record.tokens)}
        </span>
      </div>
      {open && <TurnDetail uid={uid} record={record} />}
    </>
  );
}

/** The text with what was looked for marked in it. */
function Marked({ text, sought }: { readonly text: string; readonly sought: string }): ReactNode {
  if (text === '') return <span className="dim">no text</span>;
  const at = sought === '' ? -1 : text.toLowerCase().indexOf(sought.toLowerCase());
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + sought.length)}</mark>
      {text.slice(at + sought.length)}
    </>
  );
}
