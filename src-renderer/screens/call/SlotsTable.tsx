import type { AssembleTrace, SegmentKind } from '../../../src-shared/model/trace.ts';
import { KindMark } from '../../components/KindMark.tsx';
import { formatCount, formatNoun } from '../../model/format-number.ts';

interface Props {
  readonly trace: AssembleTrace;
  readonly lit: SegmentKind | undefined;
  readonly onHover: (kind: SegmentKind | undefined) => void;
}

/** The legend of the bar, with what each slot was allotted, asked for, used, and lost to which rule. */
export function SlotsTable({ trace, lit, onHover }: Props) {
  const slots = trace.slots.filter((slot) => slot.kind !== 'free');
  const free = trace.slots.find((slot) => slot.kind === 'free');
  const counted = trace.decisions.reduce((sum, decision) => sum + decision.tokens_after, 0);
  return (
    <table className="slots" onMouseLeave={() => onHover(undefined)}>
      <thead>
        <tr>
          <th scope="col">Slot</th>
          <th scope="col" title="Tokens that the slot might take">
            Allotted
          </th>
          <th scope="col" title="Tokens of all its candidates">
            Asked
          </th>
          <th scope="col" title="Tokens that went in">
            Used
          </th>
          <th scope="col" title="Tokens that were left out">
            Cut
          </th>
          <th scope="col" className="slot-rule">
            Rule
          </th>
        </tr>
      </thead>
      <tbody>
        {slots.map((slot) => (
          <tr
            key={`${slot.kind} ${slot.rule}`}
            className="slot"
            data-lit={slot.kind === lit ? '' : undefined}
            onMouseEnter={() => onHover(slot.kind)}
          >
            <th scope="row">
              <KindMark kind={slot.kind} />
            </th>
            <td className="num">{formatCount(slot.allotted)}</td>
            <td className="num">{formatCount(slot.asked)}</td>
            <td className="num strong">{formatCount(slot.used)}</td>
            <td className={slot.cut > 0 ? 'num' : 'num dim'}>{formatCount(slot.cut)}</td>
            <td className="slot-rule soft" title={slot.rule}>
              {ruleWords(slot.rule)}
            </td>
          </tr>
        ))}
        {free !== undefined && (
          <tr data-lit={lit === 'free' ? '' : undefined} onMouseEnter={() => onHover('free')}>
            <th scope="row">
              <KindMark kind="free" />
            </th>
            <td />
            <td />
            <td className="num">{formatCount(free.used)}</td>
            <td />
            <td className="slot-rule soft">{ruleWords(free.rule)}</td>
          </tr>
        )}
        <tr className="slot-sum">
          <th scope="row">Sent</th>
          <td />
          <td />
          <td className="num strong">{formatCount(counted)}</td>
          <td />
          <td className="slot-rule soft">{reconciliation(trace, counted)}</td>
        </tr>
      </tbody>
    </table>
  );
}

/** How the sum of our own count becomes the estimate that is held against the budget. */
function reconciliation(trace: AssembleTrace, counted: number): string {
  const { ratio, samples } = trace.calibration;
  const estimate = `≈ ${formatCount(trace.estimated_tokens)}`;
  if (ratio === 1) return trace.estimated_tokens === counted ? '' : `${estimate} with the frame of the answer`;
  return `× ${ratio.toFixed(3)} from ${formatNoun(samples, 'provider report')} = ${estimate}`;
}

/** Rules are codes such as `newest_first`; sentences are shown as they are. */
function ruleWords(rule: string): string {
  return /^[a-z0-9_]+$/.test(rule) ? rule.replaceAll('_', ' ') : rule;
}
