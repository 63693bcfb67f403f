import type { CallSummary } from '../../../src-shared/model/trace.ts';
import { useApp } from '../../hooks/app-context.ts';
import { BudgetChart } from './BudgetChart.tsx';
import { CallsList } from './CallsList.tsx';

export function CallsTab({ uid }: { readonly uid: string }) {
  const { navigation } = useApp();
  const open = (call: CallSummary) => navigation.go({ at: 'call', uid, callId: call.call_id, view: 'decisions' });
  return (
    <>
      <BudgetChart uid={uid} onOpen={open} />
      <CallsList uid={uid} onOpen={open} />
    </>
  );
}
