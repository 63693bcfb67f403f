import { SplitPane } from '../../components/SplitPane.tsx';
import { useApp } from '../../hooks/app-context.ts';
import type { CheckpointPlace } from '../../navigation/place.ts';
import { CheckpointsList } from '../checkpoints/CheckpointsList.tsx';
import { CheckpointDetail } from './CheckpointDetail.tsx';

/** The checkpoints of a session at the left, one of them beside it. */
export function CheckpointScreen({ place }: { readonly place: CheckpointPlace }) {
  const { navigation } = useApp();
  const { uid, checkpointId } = place;
  return (
    <SplitPane
      name="checkpoints"
      initial={272}
      min={220}
      max={480}
      list={
        <CheckpointsList
          uid={uid}
          selected={checkpointId}
          onOpen={(checkpoint) => navigation.step({ at: 'checkpoint', uid, checkpointId: checkpoint.checkpoint_id })}
        />
      }
      detail={<CheckpointDetail key={checkpointId} place={place} />}
    />
  );
}
