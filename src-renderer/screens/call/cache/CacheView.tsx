import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { AssembleTrace, ProviderUsage } from '../../../../src-shared/model/trace.ts';
import { diffCalls } from '../../../../src-shared/diff/diff-calls.ts';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { Skeleton } from '../../../components/Skeleton.tsx';
import { useApp } from '../../../hooks/app-context.ts';
import { usePreviousCall } from '../../../hooks/use-previous-call.ts';
import { formatCount, formatShare } from '../../../model/format-number.ts';
import { CacheCalls } from './CacheCalls.tsx';
import { StablePrefix } from './StablePrefix.tsx';
import './cache.css';

interface Props {
  readonly uid: string;
  readonly trace: AssembleTrace;
  readonly usage: ProviderUsage | undefined;
}

/** What of the prompt stayed as it was, where it parted from the call before, and what the provider read from its cache. */
export function CacheView({ uid, trace, usage }: Props) {
  const previous = usePreviousCall(uid, trace.call_id);
  return (
    <div className="cache-view">
      <div className="cache-top">
        <section className="cache-part">
          <h3>Stable prefix</h3>
          {previous.call !== undefined ? (
            <Prefix key={previous.call.call_id} uid={uid} trace={trace} other={previous.call.call_id} />
          ) : previous.error !== undefined ? (
            <ErrorState title="The calls could not be read" error={previous.error} />
          ) : previous.state === 'reading' ? (
            <Skeleton label="Looking for the call before" rows={2} />
          ) : (
            <p className="soft">This is the first call of the session: there is nothing before it to be the same as.</p>
          )}
        </section>
        <section className="cache-part">
          <h3>As the provider reported</h3>
          <Reported usage={usage} />
        </section>
      </div>
      <CacheCalls uid={uid} callId={trace.call_id} />
    </div>
  );
}

function Prefix({
  uid,
  trace,
  other,
}: {
  readonly uid: string;
  readonly trace: AssembleTrace;
  readonly other: string;
}) {
  const { stores } = useApp();
  const before = stores.session(uid).call(other).trace;
  const state = useStore(before);
  useEffect(() => void before.load(), [before]);
  const older = state.value?.trace;
  const diff = useMemo(() => (older === undefined ? undefined : diffCalls(older, trace)), [older, trace]);
  if (diff === undefined || older === undefined) {
    return state.error === undefined ? (
      <Skeleton label="Reading the call before" rows={2} />
    ) : (
      <ErrorState title="The call before could not be read" error={state.error} onRetry={() => void before.refresh()} />
    );
  }
  return <StablePrefix uid={uid} diff={diff} before={older} after={trace} />;
}

function Reported({ usage }: { readonly usage: ProviderUsage | undefined }) {
  if (usage === undefined) return <p className="soft">The provider has not reported on this call.</p>;
  const rows = [
    ['Read from cache', usage.cache_read],
    ['Written to cache', usage.cache_write],
    ['New', usage.input],
  ] as const;
  return (
    <>
      <table className="step-values">
        <tbody>
          {rows.map(([name, tokens]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="num">{formatCount(tokens)}</td>
              <td className="num soft">{formatShare(tokens / Math.max(1, usage.prompt_tokens))}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">Whole prompt</th>
            <td className="num strong">{formatCount(usage.prompt_tokens)}</td>
            <td />
          </tr>
        </tbody>
      </table>
      <p className="note">
        {usage.sum_of_model_calls === undefined
          ? 'Exact, and of the whole prompt: also the host’s own system prompt and tools, which stand before our list.'
          : `Sums over ${formatCount(usage.sum_of_model_calls)} model calls: they measure no single prompt.`}
      </p>
    </>
  );
}
