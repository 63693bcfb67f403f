import { useRef, useState, type KeyboardEvent } from 'react';
import { Icon } from '../../../components/Icon.tsx';
import { useHotKeys } from '../../../hooks/use-hot-keys.ts';
import { matchesDecision, type DecisionRow } from '../../../model/decision-rows.ts';
import { formatCount } from '../../../model/format-number.ts';
import { nextStep, type StepFold } from '../../../model/step-fold.ts';

interface Props {
  readonly fold: StepFold;
  readonly index: number;
  readonly onGo: (index: number) => void;
}

/** First, previous, next, last; the slider; and running on to the next decision about something. */
export function StepTransport({ fold, index, onGo }: Props) {
  const last = fold.rows.length - 1;
  const move = (name: string, key: string, icon: 'first' | 'back' | 'open' | 'last', to: number) => (
    <button
      type="button"
      className="button small"
      aria-label={name}
      title={`${name} (${key})`}
      disabled={to < 0 || to > last || to === index}
      onClick={() => onGo(to)}
    >
      <Icon name={icon} size={14} />
    </button>
  );
  return (
    <div className="step-transport" role="group" aria-label="Steps">
      <div className="step-buttons">
        {move('First decision', 'Home', 'first', 0)}
        {move('Previous decision', '←', 'back', index - 1)}
        {move('Next decision', '→', 'open', index + 1)}
        {move('Last decision', 'End', 'last', last)}
      </div>
      <span className="num step-number" aria-live="polite">
        Step {formatCount(index + 1)} <span className="dim">of {formatCount(last + 1)}</span>
      </span>
      <input
        type="range"
        className="step-slider"
        aria-label="Step"
        aria-valuetext={`Step ${index + 1} of ${last + 1}: ${fold.rows[index]?.label ?? ''}`}
        min={0}
        max={last}
        value={index}
        onChange={(event) => onGo(event.currentTarget.valueAsNumber)}
      />
      <RunTo fold={fold} index={index} onGo={onGo} />
    </div>
  );
}

function RunTo({ fold, index, onGo }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [missing, setMissing] = useState('');
  useHotKeys({ '/': () => field.current?.focus() });
  const run = (direction: 1 | -1, fits: (row: DecisionRow) => boolean, name: string) => {
    const found = nextStep(fold.rows, index, direction, fits);
    setMissing(found === undefined ? `No decision: ${name}` : '');
    if (found !== undefined) onGo(found);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' && text.trim() !== '') {
      event.preventDefault();
      run(event.shiftKey ? -1 : 1, (row) => matchesDecision(row, text.trim()), `“${text.trim()}”`);
    }
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    setText('');
    setMissing('');
    event.currentTarget.blur();
  };
  return (
    <div className="step-run">
      <input
        ref={field}
        type="search"
        className="field small"
        aria-label="Run to item"
        placeholder="Run to item  /"
        title="Enter runs on to the next decision that has these words, Shift Enter back"
        value={text}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <button
        type="button"
        className="button small"
        onClick={() => run(1, (row) => row.decision.action === 'dropped', 'left out')}
      >
        Next left out
      </button>
      <button
        type="button"
        className="button small"
        onClick={() => run(1, (row) => row.decision.action === 'trimmed', 'trimmed')}
      >
        Next trimmed
      </button>
      <span className="step-missing clip" role="status" title={missing}>
        {missing}
      </span>
    </div>
  );
}
