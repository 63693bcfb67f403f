import { useApp } from '../../hooks/app-context.ts';
import { CallsList } from './CallsList.tsx';

export function CallsTab({ uid }: { readonly uid: string }) {
  const { navigation } = useApp();
  return (
    <CallsList
      uid={uid}
      onOpen={(call) => navigation.go({ at: 'call', uid, callId: call.call_id, view: 'decisions' })}
    />
  );
}
