import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useApp } from '../hooks/app-context.ts';
import { checkpointName } from '../model/checkpoint-words.ts';
import { PlaceLink } from './PlaceLink.tsx';

interface Props {
  readonly uid: string;
  readonly checkpointId: string;
}

/** A link to a checkpoint by its number; by its id until the list has been read that far. */
export function CheckpointLink({ uid, checkpointId }: Props) {
  const { stores } = useApp();
  const { checkpoints } = stores.session(uid);
  const found = useStore(checkpoints, (state) => state.items.find((item) => item.checkpoint_id === checkpointId));
  useEffect(() => void checkpoints.load(), [checkpoints]);
  return (
    <PlaceLink place={{ at: 'checkpoint', uid, checkpointId }}>
      {found === undefined ? <code>{checkpointId}</code> : checkpointName(found)}
    </PlaceLink>
  );
}
