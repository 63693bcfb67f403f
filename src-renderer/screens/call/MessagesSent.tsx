import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { AssembleTrace } from '../../../src-shared/model/trace.ts';
import { ErrorState } from '../../components/ErrorState.tsx';
import { KindMark } from '../../components/KindMark.tsx';
import { MessageView } from '../../components/MessageView.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { useOffsetWithin } from '../../hooks/use-offset-within.ts';
import { formatCount, formatNoun } from '../../model/format-number.ts';
import { itemLabel } from '../../model/item-label.ts';

interface Props {
  readonly uid: string;
  readonly trace: AssembleTrace;
  readonly scroller: HTMLElement | null;
}

/** The list that was answered, in order: what the model saw of us. */
export function MessagesSent({ uid, trace, scroller }: Props) {
  const { stores } = useApp();
  const { messages } = stores.session(uid).call(trace.call_id);
  const state = useStore(messages);
  useEffect(() => void messages.load(), [messages]);
  const items = useMemo(() => new Map(trace.items.map((item) => [item.item, item])), [trace]);
  const bodies = useMemo(
    () => new Map(state.value?.messages.map((entry) => [entry.item, entry.message])),
    [state.value],
  );
  const [list, top] = useOffsetWithin(scroller);
  const virtualizer = useVirtualizer({
    count: state.value === undefined ? 0 : trace.output.length,
    getScrollElement: () => scroller,
    estimateSize: () => 160,
    scrollMargin: top,
    overscan: 4,
  });
  if (state.value === undefined) {
    return state.error === undefined ? (
      <Skeleton label="Reading the messages of the call" />
    ) : (
      <ErrorState title="The messages could not be read" error={state.error} onRetry={() => void messages.refresh()} />
    );
  }
  return (
    <div className="messages-sent">
      <p className="note messages-note">
        {formatNoun(trace.output.length, 'message')}, in the order of the answer. “Host” messages were passed through
        untouched; “ours” were written by the engine.
        {state.value.missing.length > 0 &&
          ` ${formatNoun(state.value.missing.length, 'body', 'bodies')} no longer stored.`}
      </p>
      {trace.system_prompt_addition !== undefined && trace.system_prompt_addition !== '' && (
        <article className="sent">
          <header className="sent-head">
            <KindMark kind="system" name={false} />
            <strong>system prompt addition</strong>
            <span className="dim">added to the host’s own system prompt</span>
          </header>
          <MessageView message={trace.system_prompt_addition} name="system prompt addition" />
        </article>
      )}
      <ol ref={list} className="sent-list" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((place) => {
          const entry = trace.output[place.index];
          if (entry === undefined) return null;
          const item = items.get(entry.item);
          return (
            <li
              key={place.key}
              ref={virtualizer.measureElement}
              data-index={place.index}
              className="sent"
              style={{ transform: `translateY(${place.start - top}px)` }}
            >
              <header className="sent-head">
                <span className="num dim sent-number">{formatCount(place.index + 1)}</span>
                {item !== undefined && <KindMark kind={item.kind} name={false} />}
                <strong>{item?.role ?? 'message'}</strong>
                <span className="dim">
                  {'host' in entry ? `host ${entry.host}` : 'ours'}
                  {item !== undefined && ` · ${itemLabel(item)}`}
                </span>
                {item !== undefined && (
                  <span className="num dim sent-tokens">≈ {formatNoun(item.tokens, 'token')}</span>
                )}
              </header>
              {bodies.has(entry.item) ? (
                <MessageView message={bodies.get(entry.item)} name={String(place.index + 1)} />
              ) : (
                <p className="dim">The body is no longer stored. It began: “{item?.preview ?? ''}”</p>
              )}
            </li>
          );
        })}
      </ol>
    </div>
  );
}
