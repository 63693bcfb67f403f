import type { CallSummary } from '../../../src-shared/model/trace.ts';
import { Time } from '../../components/Time.tsx';
import { Tokens } from '../../components/Tokens.tsx';
import { formatCount } from '../../model/format-number.ts';

const meaning =
  'The host asked again at once for the same prompt, and no provider’s number came for this context: it was built while the request was prepared, and the one above was sent';

/** A context that was asked for and not sent, in one quiet line under the one that was. */
export function PreparationRow({ call, narrow }: { readonly call: CallSummary; readonly narrow: boolean }) {
  return (
    <div className="preparation-row" title={meaning}>
      <Time iso={call.created_at} as="clock" />
      <span className="clip">preparation, not sent</span>
      {!narrow && (
        <span className="num preparation-tokens">
          <Tokens value={call.estimated_tokens} counter={call.counter} /> of {formatCount(call.token_budget)}
        </span>
      )}
    </div>
  );
}
