import type { AssembleTrace, SegmentKind } from '../../../src-shared/model/trace.ts';
import { KindMark } from '../../components/KindMark.tsx';
import { formatCount, formatShare } from '../../model/format-number.ts';
import { layoutBudgetBar } from '../../model/layout-budget-bar.ts';

interface Props {
  readonly trace: AssembleTrace;
  readonly used: { readonly [K in SegmentKind]?: number };
  readonly lit: SegmentKind | undefined;
  readonly onHover: (kind: SegmentKind | undefined) => void;
}

/** The legend of the bar, with what each slot was allotted, asked for, used, and lost to which rule. */
export function SlotsTable({ trace, used, lit, onHover }: Props) {
  const { free, over } = layoutBudgetBar(used, trace.token_budget);
  const slots = trace.slots.filter((slot) => slot.kind !== 'free');
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
            <td className="slot-rule soft">{ruleWords(slot.rule)}</td>
          </tr>
        ))}
        <tr data-lit={lit === 'free' ? '' : undefined} onMouseEnter={() => onHover('free')}>
          <th scope="row">{over > 0 ? <span className="danger">Over budget</span> : <KindMark kind="free" />}</th>
          <td />
          <td />
          <td className={over > 0 ? 'num strong danger' : 'num'}>{formatCount(over > 0 ? over : free)}</td>
          <td />
          <td className="slot-rule dim">
            {trace.token_budget > 0 && `${formatShare((over > 0 ? over : free) / trace.token_budget)} of budget`}
          </td>
        </tr>
      </tbody>
    </table>
  );
}

/** Rules are codes such as `newest_first`; sentences are shown as they are. */
function ruleWords(rule: string): string {
  return /^[a-z0-9_]+$/.test(rule) ? rule.replaceAll('_', ' ') : rule;
}
