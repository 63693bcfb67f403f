import type { DecisionAction } from '../../src-shared/model/trace.ts';
import { actionWord } from '../model/reason-sentence.ts';
import './ActionMark.css';

interface Props {
  readonly action: DecisionAction;
  readonly word?: boolean;
}

/** Filled: included; half: trimmed; hollow: left out. */
export function ActionMark({ action, word = true }: Props) {
  return (
    <span className="action-mark">
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
        {action === 'included' && <circle cx="6" cy="6" r="4.5" fill="currentColor" />}
        {action === 'trimmed' && <path d="M6 1.5a4.5 4.5 0 0 0 0 9z" fill="currentColor" />}
      </svg>
      <span className={word ? '' : 'visually-hidden'}>{actionWord(action)}</span>
    </span>
  );
}
