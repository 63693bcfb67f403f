import type { AppStores } from './create-app-stores.ts';

/** Reads again what a change to a checkpoint changes. What a person did themselves is shown also while paused. */
export async function refreshCheckpoint(stores: AppStores, uid: string, checkpointId: string): Promise<void> {
  const session = stores.session(uid);
  await Promise.all([
    session.checkpoint(checkpointId).refresh(),
    session.checkpoints.refresh(),
    session.summary.refresh(),
  ]);
}
