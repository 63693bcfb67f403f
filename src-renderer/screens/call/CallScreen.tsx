import { SplitPane } from '../../components/SplitPane.tsx';
import { useApp } from '../../hooks/app-context.ts';
import type { CallView } from '../../navigation/place.ts';
import { CallsList } from '../sessions/CallsList.tsx';
import { CallDetail } from './CallDetail.tsx';

interface Props {
  readonly uid: string;
  readonly callId: string;
  readonly view: CallView;
  readonly step: number | undefined;
}

/** The calls of a session at the left, one of them beside it. */
export function CallScreen({ uid, callId, view, step }: Props) {
  const { navigation } = useApp();
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
          onOpen={(call) => navigation.step({ at: 'call', uid, callId: call.call_id, view })}
        />
      }
      detail={<CallDetail key={callId} uid={uid} callId={callId} view={view} step={step} />}
    />
  );
}
