import type { AssembleTrace, ProviderUsage } from '../../../src-shared/model/trace.ts';
import { CopyButton } from '../../components/CopyButton.tsx';
import { Explained } from '../../components/Explained.tsx';
import { Stat } from '../../components/Stat.tsx';
import { Time } from '../../components/Time.tsx';
import { Tokens } from '../../components/Tokens.tsx';
import { formatCount, formatDelta, formatDuration, formatShare } from '../../model/format-number.ts';
import { termMeanings } from '../../model/term-meanings.ts';
import { counterName, counterSentence } from '../../model/token-counter-words.ts';
import { providerSentence } from '../../model/provider-sentence.ts';
import { usageExplanation } from '../../model/usage-explanation.ts';

interface Props {
  readonly trace: AssembleTrace;
  readonly usage: ProviderUsage | undefined;
}

const budgetSourceNames = {
  request: 'by the host',
  last_seen: 'from the last call',
  default: 'default',
} as const;

const budgetSources = {
  request: 'named by the host in this call',
  last_seen: 'from the session’s last call, this one named none',
  default: 'the default of config.yaml, the host never named one',
} as const;

export function CallHeader({ trace, usage }: Props) {
  const over = trace.estimated_tokens - trace.token_budget;
  return (
    <header className="call-header">
      <div className="detail-title">
        <h2>
          Call at <Time iso={trace.created_at} as="both" />
        </h2>
        <CopyButton text={trace.call_id} label="Copy id" />
        {trace.prompt_preview !== undefined && (
          <span className="clip soft" title={trace.prompt_preview}>
            “{trace.prompt_preview}”
          </span>
        )}
      </div>
      <dl className="stats">
        <Stat name="Estimate">
          <Tokens value={trace.estimated_tokens} counter={trace.counter} explain={estimateText(trace)} />
          <span className="dim"> {counterName(trace.counter)}</span>
        </Stat>
        <Stat name="Budget">
          <Explained text={`Budget of this call: ${budgetSources[trace.budget_source]}.`}>
            <span className="num">{formatCount(trace.token_budget)}</span>
          </Explained>
          <span className="dim"> {budgetSourceNames[trace.budget_source]}</span>
        </Stat>
        <Stat name={over > 0 ? 'Over budget' : 'Taken'}>
          <span className={over > 0 ? 'num danger' : 'num'}>
            {over > 0
              ? formatDelta(over)
              : trace.token_budget > 0
                ? formatShare(trace.estimated_tokens / trace.token_budget)
                : '—'}
          </span>
        </Stat>
        <Stat name="Provider">
          <ProviderNumber trace={trace} usage={usage} />
        </Stat>
        <Stat name="Duration">
          <span className="num">{formatDuration(trace.duration_ms)}</span>
        </Stat>
        <Stat name="Model">
          <span className="call-model clip" title={trace.model}>
            {trace.model ?? <span className="dim">not named</span>}
          </span>
        </Stat>
        <Stat name="Strategy">{trace.strategy}</Stat>
        <Stat name="Input">
          <Explained text={inputText(trace)}>
            <span className="num">
              {formatCount(trace.host_message_count)} host · {formatCount(trace.stored_turn_count)} stored
            </span>
          </Explained>
        </Stat>
        {trace.epoch > 0 && (
          <Stat name="Epoch" title={termMeanings.epoch}>
            <Explained text={termMeanings.epoch}>
              <span className="num">{trace.epoch}</span>
            </Explained>
          </Stat>
        )}
      </dl>
      <p className="call-note dim">
        {providerSentence(trace, usage)} “Left” in the decisions: what was still to give out at that point, by our own
        count.
      </p>
    </header>
  );
}

function ProviderNumber({ trace, usage }: Props) {
  if (usage === undefined) return <span className="dim">not reported yet</span>;
  return (
    <Explained text={usageExplanation(usage)}>
      <span className="num">
        {formatCount(usage.prompt_tokens)}{' '}
        <span className="soft">
          {usage.sum_of_model_calls === undefined
            ? formatDelta(usage.prompt_tokens - trace.estimated_tokens)
            : `sum over ${formatCount(usage.sum_of_model_calls)} model calls`}
        </span>
      </span>
    </Explained>
  );
}

function estimateText(trace: AssembleTrace): string {
  return `Tokens of what this call answered: its messages with their wrappers and tool arguments, and the system prompt addition.\n${counterSentence(trace.counter, trace.calibration)}`;
}

function inputText(trace: AssembleTrace): string {
  return [
    `The host passed ${formatCount(trace.host_message_count)} messages (history: ${trace.history}); the log held ${formatCount(trace.stored_turn_count)} turns of this epoch.`,
    `Format ${trace.format}, reply ${trace.reply}, engine ${trace.engine_version}.`,
    `Input ${trace.input_hash.slice(0, 12)}…, output ${trace.output_hash.slice(0, 12)}…, configuration ${trace.config_hash.slice(0, 12)}….`,
  ].join('\n');
}
