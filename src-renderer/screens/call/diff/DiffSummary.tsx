import type { CallDiff } from '../../../../src-shared/protocol/diff.ts';
import { KindMark } from '../../../components/KindMark.tsx';
import { inputChange } from '../../../model/diff-rows.ts';
import { formatCount, formatDelta } from '../../../model/format-number.ts';

/** What differs as a whole: what the calls were made with, and the tokens per kind with their signs. */
export function DiffSummary({ diff }: { readonly diff: CallDiff }) {
  const kinds = diff.kinds.filter(({ before, after }) => before > 0 || after > 0);
  return (
    <div className="diff-summary">
      <table className="diff-kinds">
        <caption className="visually-hidden">Tokens sent per kind, by our tokenizer</caption>
        <tbody>
          {kinds.map(({ kind, before, after, delta }) => (
            <tr key={kind}>
              <th scope="row">
                <KindMark kind={kind} />
              </th>
              <td className="num soft">≈ {formatCount(before)}</td>
              <td className="dim">→</td>
              <td className="num">≈ {formatCount(after)}</td>
              <td className={`num diff-delta${delta === 0 ? ' dim' : ''}`}>{formatDelta(delta)}</td>
            </tr>
          ))}
          <tr className="diff-total">
            <th scope="row">Sent</th>
            <td className="num soft">≈ {formatCount(diff.tokens.before)}</td>
            <td className="dim">→</td>
            <td className="num">≈ {formatCount(diff.tokens.after)}</td>
            <td className="num diff-delta">{formatDelta(diff.tokens.delta)}</td>
          </tr>
        </tbody>
      </table>
      <div className="diff-inputs">
        <h3>Made with</h3>
        {diff.inputs.length === 0 ? (
          <p className="soft">The same budget, strategy, model and settings.</p>
        ) : (
          <ul>
            {diff.inputs.map((change) => (
              <li key={change.field} className="num">
                {inputChange(change)}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
