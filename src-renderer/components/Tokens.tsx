import type { TokenCounter } from '../../src-shared/model/tokens.ts';
import { formatCount } from '../model/format-number.ts';
import { isEstimate } from '../model/token-counter-words.ts';
import { Explained } from './Explained.tsx';

interface Props {
  readonly value: number;
  /** Who counted; estimates carry the sign ≈. */
  readonly counter?: TokenCounter | undefined;
  readonly unit?: boolean;
  readonly explain?: string | undefined;
  readonly focusable?: boolean;
}

/** A number of tokens, tabular, with its unit where asked. */
export function Tokens({ value, counter, unit = false, explain, focusable = true }: Props) {
  const number = (
    <span className="num">
      {counter !== undefined && isEstimate(counter) ? '≈ ' : ''}
      {formatCount(value)}
      {unit && <span className="unit"> {value === 1 ? 'token' : 'tokens'}</span>}
    </span>
  );
  if (explain === undefined) return number;
  return (
    <Explained text={explain} focusable={focusable}>
      {number}
    </Explained>
  );
}
