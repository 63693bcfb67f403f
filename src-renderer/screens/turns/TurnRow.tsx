import type { TurnRecord } from '../../../src-shared/model/turn-envelope.ts';
import { KindMark } from '../../components/KindMark.tsx';
import { Time } from '../../components/Time.tsx';
import { formatCount } from '../../model/format-number.ts';
import { termMeanings } from '../../model/term-meanings.ts';
import { TurnDetail } from './TurnDetail.tsx';

export function TurnRowHead() {
  return (
    <div className="turn-line head" aria-hidden="true">
      <span className="right">#</span>
      <span>Role</span>
      <span>Time</span>
      <span>Message</span>
      <span title={termMeanings.advancement}>Advancement</span>
      <span className="right" title="≈ Tokens of the message as sent, o200k_base tokenizer, not corrected">
        Tokens
      </span>
    </div>
  );
}

interface Props {
  readonly uid: string;
  readonly record: TurnRecord;
  readonly open: boolean;
}

export function TurnRow({ uid, record, open }: Props) {
  const { turn } = record;
  return (
    <>
      <div className={`turn-line${record.excluded_from_context ? ' excluded' : ''}`}>
        <span className="num dim right">{formatCount(turn.sequence)}</span>
        <span className={`role role-${turn.role}`}>{turn.role}</span>
        <span className="soft">
          <Time iso={turn.timestamp} as="clock" />
        </span>
        <span className="turn-message">
          <span className="clip">{record.preview === '' ? <span className="dim">no text</span> : record.preview}</span>
          {record.checkpoint_id !== undefined && (
            <span title={`Covered by checkpoint ${record.checkpoint_id}`}>
              <KindMark kind="summary" name={false} />
            </span>
          )}
          {record.excluded_from_context && <span className="tag">excluded</span>}
          {record.is_heartbeat && <span className="tag">heartbeat</span>}
        </span>
        <span className="clip mono dim" title={record.advancement_key}>
          {record.advancement_key ?? '—'}
        </span>
        <span className="num right">≈ {formatCount(record.tokens)}</span>
      </div>
      {open && <TurnDetail uid={uid} record={record} />}
    </>
  );
}
