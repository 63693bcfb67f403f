import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Reply } from '../../client/engine-client.ts';
import { ErrorState } from '../../components/ErrorState.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StaleNotice } from '../../components/StaleNotice.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { useHotKeys } from '../../hooks/use-hot-keys.ts';
import { CheckpointHeader, type CheckpointAction } from './CheckpointHeader.tsx';
import { CheckpointNotices } from './CheckpointNotices.tsx';
import type { CheckpointPlace } from '../../navigation/place.ts';
import { RerunDialog } from './RerunDialog.tsx';
import { SourcePane } from './SourcePane.tsx';
import { StandingDialog } from './StandingDialog.tsx';
import { SummaryPane } from './SummaryPane.tsx';
import './checkpoint.css';

/** One compaction: its summary beside what it was made of. */
export function CheckpointDetail({ place }: { readonly place: CheckpointPlace }) {
  const { stores } = useApp();
  const store = stores.session(place.uid).checkpoint(place.checkpointId);
  const { value, error, loadedAt } = useStore(store);
  useEffect(() => void store.load(), [store]);
  useEffect(() => void stores.session(place.uid).summary.load(), [stores, place.uid]);
  useNeighbourKeys(place);
  if (value !== undefined) {
    return (
      <>
        <StaleNotice error={error} loadedAt={loadedAt} onRetry={() => void store.refresh()} />
        <Loaded place={place} reply={value} />
      </>
    );
  }
  return error === undefined ? (
    <Skeleton label="Reading the checkpoint" rows={12} />
  ) : (
    <ErrorState title="The checkpoint could not be read" error={error} onRetry={() => void store.refresh()} />
  );
}

function Loaded({ place, reply }: { readonly place: CheckpointPlace; readonly reply: Reply<'checkpoint'> }) {
  const [action, setAction] = useState<CheckpointAction>();
  const { checkpoint } = reply;
  const close = () => setAction(undefined);
  return (
    <div className="checkpoint-detail">
      <CheckpointHeader uid={place.uid} checkpoint={checkpoint} onAction={setAction} />
      <CheckpointNotices uid={place.uid} checkpoint={checkpoint} />
      <div className="checkpoint-columns">
        <SummaryPane place={place} checkpoint={checkpoint} />
        <SourcePane place={place} checkpoint={checkpoint} parents={reply.parents} />
      </div>
      {action === 'rerun' && <RerunDialog uid={place.uid} checkpoint={checkpoint} onClose={close} />}
      {(action === 'dissolve' || action === 'restore') && (
        <StandingDialog uid={place.uid} checkpoint={checkpoint} action={action} onClose={close} />
      )}
    </div>
  );
}

/** `]` goes to the newer checkpoint, `[` to the older one, as far as the list has been read. */
function useNeighbourKeys({ uid, checkpointId }: CheckpointPlace): void {
  const { stores, navigation } = useApp();
  const { checkpoints } = stores.session(uid);
  const go = (step: number) => {
    const { items } = checkpoints.getState();
    const index = items.findIndex((item) => item.checkpoint_id === checkpointId);
    const next = index < 0 ? undefined : items[index + step];
    if (next !== undefined) navigation.step({ at: 'checkpoint', uid, checkpointId: next.checkpoint_id });
  };
  useHotKeys({ '[': () => go(1), ']': () => go(-1) });
}
