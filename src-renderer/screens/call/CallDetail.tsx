import { Tabs } from '@base-ui/react/tabs';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { SegmentKind } from '../../../src-shared/model/trace.ts';
import { BudgetBar } from '../../components/BudgetBar.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import type { Reply } from '../../client/engine-client.ts';
import { useApp } from '../../hooks/app-context.ts';
import { useHotKeys } from '../../hooks/use-hot-keys.ts';
import { decisionRows } from '../../model/decision-rows.ts';
import { formatCount } from '../../model/format-number.ts';
import { scaleUsed } from '../../model/scale-used.ts';
import { usedByKind } from '../../model/used-by-kind.ts';
import type { CallPlace, CallView } from '../../navigation/place.ts';
import { present } from '../../navigation/present.ts';
import { CallHeader } from './CallHeader.tsx';
import { CallRecord } from './CallRecord.tsx';
import { CacheView } from './cache/CacheView.tsx';
import { CallDiffView } from './diff/CallDiffView.tsx';
import { DecisionsTable } from './DecisionsTable.tsx';
import { DegradedBanner } from './DegradedBanner.tsx';
import { MessagesSent } from './MessagesSent.tsx';
import { SlotsTable } from './SlotsTable.tsx';
import { StepDebugger } from './steps/StepDebugger.tsx';
import { WindowTable } from './window/WindowTable.tsx';
import './call.css';

interface Props {
  readonly place: CallPlace;
}

/** Views that fill what the header leaves free and scroll inside of themselves. */
const filling: ReadonlySet<CallView> = new Set(['steps', 'window', 'diff', 'cache']);

/** One assemble call: what it had, what it decided, what it answered. */
export function CallDetail({ place }: Props) {
  const { stores } = useApp();
  const { uid, callId } = place;
  const { trace } = stores.session(uid).call(callId);
  const reply = useStore(trace, (state) => state.value);
  const error = useStore(trace, (state) => state.error);
  useEffect(() => void trace.load(), [trace]);
  useEffect(() => void stores.session(uid).summary.load(), [stores, uid]);
  useNeighbourKeys(place);
  if (reply !== undefined) return <LoadedCall place={place} reply={reply} />;
  return error === undefined ? (
    <Skeleton label="Reading the call" rows={12} />
  ) : (
    <ErrorState title="The call could not be read" error={error} onRetry={() => void trace.refresh()} />
  );
}

function LoadedCall({ place, reply }: Props & { readonly reply: Reply<'call'> }) {
  const { navigation } = useApp();
  const { uid, callId, view, step } = place;
  const { trace, usage } = reply;
  // State, not a ref: what stands inside measures itself against the element, so it has to hear of it.
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const [lit, setLit] = useState<SegmentKind>();
  const rows = useMemo(() => decisionRows(trace), [trace]);
  const used = useMemo(() => usedByKind(trace), [trace]);
  const setView = (next: CallView) => navigation.go({ at: 'call', uid, callId, view: next });
  const setStep = useCallback(
    (next: number | undefined) =>
      navigation.step({
        at: 'call',
        uid,
        callId,
        view: view === 'steps' ? view : 'decisions',
        ...present({ step: next }),
      }),
    [navigation, uid, callId, view],
  );
  return (
    <div className="call-scroller" ref={setScroller}>
      <div className={`call-grid${filling.has(view) ? ' filling' : ''}`}>
        <div className="call-top">
          <CallHeader trace={trace} usage={usage} />
          {trace.degraded !== undefined && <DegradedBanner degraded={trace.degraded} />}
          {view !== 'steps' && (
            <BudgetBar
              used={scaleUsed(used, trace.estimated_tokens)}
              budget={trace.token_budget}
              size="large"
              lit={lit}
              onHover={setLit}
            />
          )}
        </div>
        <aside className="call-side">
          <SlotsTable trace={trace} lit={lit} onHover={setLit} />
          <CallRecord trace={trace} />
        </aside>
        <Tabs.Root className="call-main" value={view} onValueChange={(value: CallView) => setView(value)}>
          <Tabs.List className="tab-list" activateOnFocus aria-label="Parts of the call">
            <Tabs.Tab value="decisions" className="tab">
              Decisions <span className="num dim">{formatCount(rows.length)}</span>
            </Tabs.Tab>
            <Tabs.Tab value="steps" className="tab">
              Steps
            </Tabs.Tab>
            <Tabs.Tab value="window" className="tab">
              Window
            </Tabs.Tab>
            <Tabs.Tab value="diff" className="tab">
              Diff
            </Tabs.Tab>
            <Tabs.Tab value="cache" className="tab">
              Cache
            </Tabs.Tab>
            <Tabs.Tab value="messages" className="tab">
              Messages sent <span className="num dim">{formatCount(trace.output.length)}</span>
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="decisions">
            <DecisionsTable uid={uid} callId={callId} rows={rows} step={step} onStep={setStep} scroller={scroller} />
          </Tabs.Panel>
          <Tabs.Panel value="steps" className="call-panel">
            <StepDebugger uid={uid} trace={trace} step={step} onStep={setStep} />
          </Tabs.Panel>
          <Tabs.Panel value="window" className="call-panel">
            <WindowTable uid={uid} trace={trace} />
          </Tabs.Panel>
          <Tabs.Panel value="diff" className="call-panel">
            <CallDiffView uid={uid} trace={trace} against={place.against} />
          </Tabs.Panel>
          <Tabs.Panel value="cache" className="call-panel">
            <CacheView uid={uid} trace={trace} usage={usage} />
          </Tabs.Panel>
          <Tabs.Panel value="messages">
            <MessagesSent uid={uid} trace={trace} scroller={scroller} />
          </Tabs.Panel>
        </Tabs.Root>
      </div>
    </div>
  );
}

/** `]` goes to the newer call, `[` to the older one, as far as the list has been read. */
function useNeighbourKeys({ uid, callId, view }: CallPlace): void {
  const { stores, navigation } = useApp();
  const { calls } = stores.session(uid);
  const go = (step: number) => {
    const { items } = calls.getState();
    const call = items[items.findIndex((item) => item.call_id === callId) + step];
    if (call !== undefined) navigation.step({ at: 'call', uid, callId: call.call_id, view });
  };
  useHotKeys({ '[': () => go(1), ']': () => go(-1) });
}
