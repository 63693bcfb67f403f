import { useApp } from '../../hooks/app-context.ts';
import { CheckpointsList } from './CheckpointsList.tsx';
import { CompactionBar } from './CompactionBar.tsx';

/** The compactions of a session, what they wait for, and the button for one more. */
export function CheckpointsTab({ uid }: { readonly uid: string }) {
  const { navigation } = useApp();
  return (
    <>
      <CompactionBar uid={uid} />
      <CheckpointsList
        uid={uid}
        onOpen={(checkpoint) => navigation.go({ at: 'checkpoint', uid, checkpointId: checkpoint.checkpoint_id })}
      />
    </>
  );
}
