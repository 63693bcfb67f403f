import type { CallSummary } from '../../../src-shared/model/trace.ts';
import { ActionMark } from '../../components/ActionMark.tsx';
import { BudgetBar } from '../../components/BudgetBar.tsx';
import { Time } from '../../components/Time.tsx';
import { Tokens } from '../../components/Tokens.tsx';
import { formatCount, formatDelta, formatShare } from '../../model/format-number.ts';
import { scaleUsed } from '../../model/scale-used.ts';
import { counterName, counterSentence } from '../../model/token-counter-words.ts';
import { termMeanings } from '../../model/term-meanings.ts';
import { usageExplanation } from '../../model/usage-explanation.ts';

interface Props {
  readonly call: CallSummary;
  /** In the list beside a call. */
  readonly narrow: boolean;
}

export function CallRow({ call, narrow }: Props) {
  const over = call.estimated_tokens > call.token_budget;
  return (
    <div className="call-row">
      <div className="card-line">
        <span className="call-when">
          <Time iso={call.created_at} as={narrow ? 'clock' : 'both'} />
        </span>
        {call.degraded !== undefined && <span className="tag warn">degraded</span>}
        {call.epoch > 0 && !narrow && (
          <span className="tag" title={termMeanings.epoch}>
            epoch {call.epoch}
          </span>
        )}
        <span className="clip soft call-prompt">{call.prompt_preview ?? call.model ?? ''}</span>
        {!narrow && <Counts call={call} />}
      </div>
      <BudgetBar used={scaleUsed(call.used, call.estimated_tokens)} budget={call.token_budget} />
      <div className="card-line small">
        <span className={over ? 'danger' : ''}>
          <Tokens
            value={call.estimated_tokens}
            counter={call.counter}
            explain={counterSentence(call.counter)}
            focusable={false}
          />
          <span className="unit num"> of {formatCount(call.token_budget)}</span>
          {call.token_budget > 0 && !narrow && (
            <span className="num soft"> · {formatShare(call.estimated_tokens / call.token_budget)}</span>
          )}
          {!narrow && <span className="dim"> · {counterName(call.counter)}</span>}
          {over && !narrow && <strong> over budget</strong>}
        </span>
        {narrow ? <Counts call={call} /> : <Provider call={call} />}
      </div>
    </div>
  );
}

function Counts({ call }: { readonly call: CallSummary }) {
  const counts = [
    { action: 'included', count: call.included },
    { action: 'trimmed', count: call.trimmed },
    { action: 'dropped', count: call.dropped },
  ] as const;
  return (
    <span
      className="counts"
      title="Decisions: included, trimmed, left out. Turns that were decided together count once"
    >
      {counts.map(({ action, count }) => (
        <span key={action} className={`count num${count === 0 ? ' dim' : ''}`}>
          <ActionMark action={action} word={false} /> {formatCount(count)}
        </span>
      ))}
    </span>
  );
}

function Provider({ call }: { readonly call: CallSummary }) {
  if (call.usage === undefined) return <span className="dim">provider has not reported</span>;
  const { prompt_tokens: promptTokens, sum_of_model_calls: modelCalls } = call.usage;
  return (
    <span className="num" title={usageExplanation(call.usage)}>
      <span className="dim">provider </span>
      {formatCount(promptTokens)}{' '}
      <span className="soft">
        {modelCalls === undefined
          ? formatDelta(promptTokens - call.estimated_tokens)
          : `sum over ${formatCount(modelCalls)} model calls`}
      </span>
    </span>
  );
}
