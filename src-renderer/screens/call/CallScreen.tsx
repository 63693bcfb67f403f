import type { CallSummary } from '../../../src-shared/model/trace.ts';
import { SplitPane } from '../../components/SplitPane.tsx';
import { useApp } from '../../hooks/app-context.ts';
import type { CallPlace } from '../../navigation/place.ts';
import { CallsList } from '../sessions/CallsList.tsx';
import { CallDetail } from './CallDetail.tsx';

/** The calls of a session at the left, one of them beside it. */
export function CallScreen({ place }: { readonly place: CallPlace }) {
  const { navigation } = useApp();
  const { uid, callId, view } = place;
  const placeOf = (call: CallSummary): CallPlace => ({ at: 'call', uid, callId: call.call_id, view });
  return (
    <SplitPane
      name="calls"
      initial={300}
      min={220}
      max={560}
      list={
        <CallsList
          uid={uid}
          selected={callId}
          onOpen={(call) => navigation.go(placeOf(call))}
          onMove={(call) => navigation.step(placeOf(call))}
        />
      }
      detail={<CallDetail key={callId} place={place} />}
    />
  );
}
