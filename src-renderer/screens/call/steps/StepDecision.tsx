import { memo } from 'react';
import { ActionMark } from '../../../components/ActionMark.tsx';
import { Explained } from '../../../components/Explained.tsx';
import { KindMark } from '../../../components/KindMark.tsx';
import { PlaceLink } from '../../../components/PlaceLink.tsx';
import { formatCount, formatDelta, formatScore } from '../../../model/format-number.ts';
import { reasonSentence } from '../../../model/reason-sentence.ts';
import type { StepState } from '../../../model/step-fold.ts';
import { termMeanings } from '../../../model/term-meanings.ts';

interface Props {
  readonly uid: string;
  readonly callId: string;
  readonly state: StepState;
}

/** The decision of the step, as a sentence and with the values that it was made from. */
export function StepDecision({ uid, callId, state }: Props) {
  const { row, leftBefore, left, counts } = state;
  const { decision, item } = row;
  return (
    <section className={`step-decision ${decision.action}`} aria-label="Decision">
      <header className="step-head">
        <h3>Decision {formatCount(decision.seq)}</h3>
        <PlaceLink place={{ at: 'call', uid, callId, view: 'decisions', step: decision.seq }}>Open it</PlaceLink>
      </header>
      <div className="step-body">
        <p className="decision-sentence" aria-live="polite">
          {reasonSentence(decision, item)}
        </p>
        <p className="step-item">
          {item !== undefined && <KindMark kind={item.kind} />}
          <span className="num dim">{row.label}</span>
        </p>
        {item !== undefined && item.preview !== '' && <p className="step-preview">“{item.preview}”</p>}
        <table className="step-values">
          <tbody>
            <Value name="Left before" value={formatCount(leftBefore)} meaning={termMeanings.left} />
            <Value name="It needs" value={formatCount(decision.tokens_before)} meaning="Tokens of the item as it is" />
            <Value
              name="It got"
              value={formatCount(decision.tokens_after)}
              meaning="Tokens of it that went in; 0 when it was left out"
            />
            <Value
              name="Left after"
              value={formatCount(left)}
              note={left === leftBefore ? '' : formatDelta(left - leftBefore)}
              danger={left < 0}
              meaning={termMeanings.left}
            />
            {Object.entries(decision.scores).map(([name, value]) => (
              <Value key={name} name={`Score: ${name.replaceAll('_', ' ')}`} value={formatScore(value)} />
            ))}
            {decision.threshold !== undefined && (
              <Value
                name="Threshold"
                value={formatScore(decision.threshold)}
                meaning="As it was at that time, whatever the configuration says now"
              />
            )}
          </tbody>
        </table>
        <p className="step-counts" aria-label="Decisions so far">
          {(['included', 'trimmed', 'dropped'] as const).map((action) => (
            <span key={action}>
              <ActionMark action={action} /> <span className="num">{formatCount(counts[action])}</span>
            </span>
          ))}
          <code className="dim">{decision.reason}</code>
        </p>
      </div>
    </section>
  );
}

interface ValueProps {
  readonly name: string;
  readonly value: string;
  readonly note?: string;
  readonly meaning?: string;
  readonly danger?: boolean;
}

function Value({ name, value, note = '', meaning, danger = false }: ValueProps) {
  return (
    <tr>
      <th scope="row">{meaning === undefined ? name : <ExplainedName name={name} meaning={meaning} />}</th>
      <td className={danger ? 'num danger' : 'num'}>{value}</td>
      <td className="num soft">{note}</td>
    </tr>
  );
}

/** Explained at its name, which stays while one steps: a tooltip that is made anew for each step costs more than the step. */
const ExplainedName = memo(function ExplainedName({
  name,
  meaning,
}: {
  readonly name: string;
  readonly meaning: string;
}) {
  return <Explained text={meaning}>{name}</Explained>;
});
