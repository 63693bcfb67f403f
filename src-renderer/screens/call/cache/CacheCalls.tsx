import type { CSSProperties } from 'react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { CallSummary } from '../../../../src-shared/model/trace.ts';
import { Time } from '../../../components/Time.tsx';
import { VirtualList } from '../../../components/VirtualList.tsx';
import { useApp } from '../../../hooks/app-context.ts';
import { formatCount, formatShare } from '../../../model/format-number.ts';

interface Props {
  readonly uid: string;
  readonly callId: string;
}

const keyOf = (call: CallSummary): string => call.call_id;

/** What the provider read from its cache and wrote to it, call by call. */
export function CacheCalls({ uid, callId }: Props) {
  const { stores, navigation } = useApp();
  const { calls } = stores.session(uid);
  const state = useStore(calls);
  const reported = useMemo(
    () => state.items.filter(({ usage }) => usage !== undefined && usage.sum_of_model_calls === undefined),
    [state.items],
  );
  return (
    <section className="cache-calls" aria-label="Cache over the calls">
      <div className="cache-line head">
        <span>Call</span>
        <span className="right">Whole prompt</span>
        <span className="right">Read</span>
        <span className="right">Written</span>
        <span className="right">New</span>
        <span>Read share</span>
      </div>
      {reported.length === 0 ? (
        <p className="decisions-none">No call of this session has been reported on by its provider.</p>
      ) : (
        <VirtualList
          items={reported}
          keyOf={keyOf}
          rowHeight={33}
          label="Cache over the calls, newest first"
          selected={callId}
          reveal
          onOpen={(call) => navigation.go({ at: 'call', uid, callId: call.call_id, view: 'cache' })}
          onEnd={state.hasMore && !state.loadingMore ? () => void calls.loadMore() : undefined}
          renderRow={(call) => <CacheLine call={call} />}
          foot={
            state.items.length < state.total
              ? `${formatCount(state.items.length)} of ${formatCount(state.total)} calls read`
              : undefined
          }
        />
      )}
    </section>
  );
}

function CacheLine({ call }: { readonly call: CallSummary }) {
  const { usage } = call;
  if (usage === undefined) return null;
  const share = usage.cache_read / Math.max(1, usage.prompt_tokens);
  return (
    <div className="cache-line">
      <Time iso={call.created_at} as="both" />
      <span className="num right">{formatCount(usage.prompt_tokens)}</span>
      <span className="num right">{formatCount(usage.cache_read)}</span>
      <span className="num right">{formatCount(usage.cache_write)}</span>
      <span className="num right">{formatCount(usage.input)}</span>
      <span className="window-share num" style={{ '--share': share } as CSSProperties}>
        {formatShare(share)}
      </span>
    </div>
  );
}
