import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { AssembleTrace } from '../../../src-shared/model/trace.ts';
import type { Reply } from '../../client/engine-client.ts';
import { ErrorState } from '../../components/ErrorState.tsx';
import { KindMark } from '../../components/KindMark.tsx';
import { MessageView } from '../../components/MessageView.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { useOffsetWithin } from '../../hooks/use-offset-within.ts';
import { useVirtualRows } from '../../hooks/use-virtual-rows.ts';
import { formatCount, formatNoun } from '../../model/format-number.ts';
import { sentEntries, type SentEntry } from '../../model/sent-entries.ts';

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
  if (state.value !== undefined) return <SentList trace={trace} reply={state.value} scroller={scroller} />;
  return state.error === undefined ? (
    <Skeleton label="Reading the messages of the call" />
  ) : (
    <ErrorState title="The messages could not be read" error={state.error} onRetry={() => void messages.refresh()} />
  );
}

interface ListProps {
  readonly trace: AssembleTrace;
  readonly reply: Reply<'callMessages'>;
  readonly scroller: HTMLElement | null;
}

function SentList({ trace, reply, scroller }: ListProps) {
  const entries = useMemo(() => sentEntries(trace, reply), [trace, reply]);
  const [list, top] = useOffsetWithin(scroller);
  const virtualizer = useVirtualRows({
    count: entries.length,
    getScrollElement: () => scroller,
    estimateSize: () => 160,
    scrollMargin: top,
    overscan: 4,
  });
  const addition = trace.system_prompt_addition ?? '';
  return (
    <div className="messages-sent">
      <p className="note messages-note">
        {formatNoun(entries.length, 'message')} in the order of the answer. “Host” ones were passed through untouched,
        “ours” were written by the engine.
        {reply.missing.length > 0 && ` ${formatNoun(reply.missing.length, 'body', 'bodies')} no longer stored.`}
      </p>
      {addition !== '' && (
        <article className="sent">
          <header className="sent-head">
            <KindMark kind="system" name={false} />
            <strong>system prompt addition</strong>
            <span className="dim">goes behind the host’s own system prompt</span>
          </header>
          <MessageView message={addition} name="system prompt addition" />
        </article>
      )}
      <ol ref={list} className="sent-list" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((place) => {
          const entry = entries[place.index];
          if (entry === undefined) return null;
          return (
            <li
              key={place.key}
              ref={virtualizer.measureElement}
              data-index={place.index}
              className="sent"
              style={{ transform: `translateY(${place.start - top}px)` }}
            >
              <SentMessage entry={entry} number={place.index + 1} />
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function SentMessage({ entry, number }: { readonly entry: SentEntry; readonly number: number }) {
  return (
    <>
      <header className="sent-head">
        <span className="num dim sent-number">{formatCount(number)}</span>
        {entry.kind !== undefined && <KindMark kind={entry.kind} name={false} />}
        <strong>{entry.role}</strong>
        <span className="dim">{entry.origin}</span>
        {entry.tokens !== undefined && (
          <span className="num dim sent-tokens">≈ {formatNoun(entry.tokens, 'token')}</span>
        )}
      </header>
      {entry.body === undefined ? (
        <p className="dim">The body is no longer stored. It began: “{entry.preview}”</p>
      ) : (
        <MessageView message={entry.body.message} name={String(number)} />
      )}
    </>
  );
}
