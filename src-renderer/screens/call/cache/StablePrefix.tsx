import { useMemo, type CSSProperties } from 'react';
import type { AssembleTrace } from '../../../../src-shared/model/trace.ts';
import type { CallDiff } from '../../../../src-shared/protocol/diff.ts';
import { KindMark } from '../../../components/KindMark.tsx';
import { PlaceLink } from '../../../components/PlaceLink.tsx';
import { prefixSentence, stableShare } from '../../../model/cache-words.ts';
import { decisionRows } from '../../../model/decision-rows.ts';
import { formatCount, formatShare } from '../../../model/format-number.ts';

interface Props {
  readonly uid: string;
  readonly diff: CallDiff;
  readonly before: AssembleTrace;
  readonly after: AssembleTrace;
}

/** How long the list is the same from its start, and what stands at the place where it parts. */
export function StablePrefix({ uid, diff, before, after }: Props) {
  const { prefix } = diff;
  const share = stableShare(diff);
  return (
    <>
      <div
        className="prefix-bar"
        role="img"
        aria-label={`${formatShare(share)} of the list is the same as in the call before`}
        style={{ '--stable': share } as CSSProperties}
      >
        <span className="prefix-stable" />
      </div>
      <p>{prefixSentence(diff)}</p>
      <p className="note num">
        ≈ {formatCount(prefix.tokens)} stable · ≈ {formatCount(prefix.tokens_behind_after)} behind it now · ≈{' '}
        {formatCount(prefix.tokens_behind_before)} behind it before, by our tokenizer
      </p>
      <dl className="diff-sentences">
        <Parting name="Before" uid={uid} trace={before} item={prefix.item_before} />
        <Parting name="Now" uid={uid} trace={after} item={prefix.item_after} />
      </dl>
    </>
  );
}

interface PartingProps {
  readonly name: string;
  readonly uid: string;
  readonly trace: AssembleTrace;
  readonly item: string | undefined;
}

function Parting({ name, uid, trace, item }: PartingProps) {
  const row = useMemo(() => decisionRows(trace).find(({ decision }) => decision.item === item), [trace, item]);
  if (item === undefined) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd className="prefix-item">
        {row?.item !== undefined && <KindMark kind={row.item.kind} name={false} />}
        {row === undefined ? (
          <code>{item}</code>
        ) : (
          <PlaceLink
            place={{ at: 'call', uid, callId: trace.call_id, view: 'decisions', step: row.decision.seq }}
            className="link clip"
          >
            {row.label}
          </PlaceLink>
        )}
        <span className="clip soft">{row?.item?.preview ?? ''}</span>
      </dd>
    </>
  );
}
