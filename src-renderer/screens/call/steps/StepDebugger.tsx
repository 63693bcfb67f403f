import { useCallback, useEffect, useMemo, useState } from 'react';
import type { AssembleTrace } from '../../../../src-shared/model/trace.ts';
import { BudgetBar } from '../../../components/BudgetBar.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { useHotKeys } from '../../../hooks/use-hot-keys.ts';
import { stepFold } from '../../../model/step-fold.ts';
import { scaleFactor } from '../../../model/scale-used.ts';
import { BudgetLine } from './BudgetLine.tsx';
import { StepDecision } from './StepDecision.tsx';
import { StepTransport } from './StepTransport.tsx';
import { StepWindow } from './StepWindow.tsx';
import './steps.css';

interface Props {
  readonly uid: string;
  readonly trace: AssembleTrace;
  /** `seq` of the decision that the address names. */
  readonly step: number | undefined;
  readonly onStep: (seq: number) => void;
}

/** Browsers allow some hundred changes of the address in half a minute: a held key or a drag writes its end only. */
const addressAfterMs = 250;

/** A call decision by decision: the window as it was then, what was left, and why. */
export function StepDebugger({ uid, trace, step, onStep }: Props) {
  const fold = useMemo(() => stepFold(trace), [trace]);
  const last = fold.rows.length - 1;
  const asked = step === undefined ? 0 : fold.indexOf(step);
  const [index, setIndex] = useState(Math.max(0, asked));
  const [shownStep, setShownStep] = useState(step);
  // The address leads when it changes by itself: a link, or the back button.
  if (step !== shownStep) {
    setShownStep(step);
    if (asked >= 0 && fold.rows[index]?.decision.seq !== step) setIndex(asked);
  }
  const go = useCallback((to: number) => setIndex(Math.max(0, Math.min(last, to))), [last]);
  const seq = fold.rows[index]?.decision.seq;
  useEffect(() => {
    if (seq === undefined || seq === (step ?? fold.rows[0]?.decision.seq)) return undefined;
    const timer = setTimeout(() => onStep(seq), addressAfterMs);
    return () => clearTimeout(timer);
  }, [seq, step, fold, onStep]);
  useHotKeys({
    ArrowRight: () => go(index + 1),
    ArrowLeft: () => go(index - 1),
    Home: () => go(0),
    End: () => go(last),
  });
  const factor = useMemo(() => scaleFactor(trace), [trace]);
  const state = fold.at(index);
  const window = useMemo(() => fold.windowAt(index), [fold, index]);
  if (state === undefined) {
    return (
      <EmptyState title="Nothing was decided">
        <p>This call had no candidates, so there is nothing to step through.</p>
      </EmptyState>
    );
  }
  const scaled = Object.fromEntries(Object.entries(state.used).map(([kind, n]) => [kind, Math.round(n * factor)]));
  return (
    <div className="step-debugger">
      {asked < 0 && <p className="note">This call has no decision {step}; it begins at the first.</p>}
      <StepTransport fold={fold} index={index} onGo={go} />
      <BudgetLine fold={fold} index={index} />
      <BudgetBar used={scaled} budget={trace.token_budget} size="large" />
      <div className="steps-panes">
        <StepWindow rows={window} state={state} fold={fold} onGo={go} />
        <StepDecision uid={uid} callId={trace.call_id} state={state} />
      </div>
    </div>
  );
}
