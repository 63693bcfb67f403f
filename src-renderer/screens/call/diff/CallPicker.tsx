import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { CallSummary } from '../../../../src-shared/model/trace.ts';
import { useApp } from '../../../hooks/app-context.ts';
import { useNow } from '../../../hooks/use-now.ts';
import { formatCount } from '../../../model/format-number.ts';
import { formatTime } from '../../../model/format-time.ts';
import { preparationCalls } from '../../../model/preparation-calls.ts';

interface Props {
  readonly uid: string;
  readonly callId: string;
  readonly chosen: string | undefined;
  readonly onChoose: (callId: string) => void;
}

/** Chooses another call of the session, newest first, as far as the list has been read. */
export function CallPicker({ uid, callId, chosen, onChoose }: Props) {
  const { stores } = useApp();
  const { calls } = stores.session(uid);
  const items = useStore(calls, (state) => state.items);
  const total = useStore(calls, (state) => state.total);
  const now = useNow();
  const preparations = useMemo(() => preparationCalls(items), [items]);
  const isListed = items.some((call) => call.call_id === chosen);
  return (
    <label className="call-picker">
      <span className="soft">Against</span>
      <select className="field small" value={chosen ?? ''} onChange={(event) => onChoose(event.target.value)}>
        {chosen === undefined && <option value="">no call</option>}
        {chosen !== undefined && !isListed && <option value={chosen}>{chosen}</option>}
        {items
          .filter((call) => call.call_id !== callId)
          .map((call) => (
            <option key={call.call_id} value={call.call_id}>
              {optionText(call, now, preparations.has(call.call_id))}
            </option>
          ))}
      </select>
      {items.length < total && (
        <button type="button" className="button small" onClick={() => void calls.loadMore()}>
          {formatCount(items.length)} of {formatCount(total)} calls read, read on
        </button>
      )}
    </label>
  );
}

function optionText(call: CallSummary, now: number, isPreparation: boolean): string {
  const size = `≈ ${formatCount(call.estimated_tokens)} of ${formatCount(call.token_budget)}`;
  const prompt = call.prompt_preview === undefined ? '' : `, “${call.prompt_preview.slice(0, 40)}”`;
  return `${formatTime(call.created_at, now)}, ${size}${isPreparation ? ', not sent' : prompt}`;
}
