import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { CheckpointRecord } from '../../../src-shared/model/checkpoint.ts';
import type { StandingChange } from '../../../src-shared/protocol/checkpoints.ts';
import { CheckpointLink } from '../../components/CheckpointLink.tsx';
import { ContextBars } from '../../components/ContextBars.tsx';
import { ErrorLine } from '../../components/ErrorLine.tsx';
import { ModalDialog } from '../../components/ModalDialog.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { checkpointName } from '../../model/checkpoint-words.ts';
import { newestBudget } from '../../model/newest-budget.ts';
import { standingChangeWords } from '../../model/standing-change-words.ts';
import { createActionStore } from '../../stores/create-action-store.ts';
import { refreshCheckpoint } from '../../stores/refresh-checkpoint.ts';

interface Props {
  readonly uid: string;
  readonly checkpoint: CheckpointRecord;
  readonly action: 'dissolve' | 'restore';
  readonly onClose: () => void;
}

const words = {
  dissolve: {
    title: 'Dissolve',
    doing: 'Dissolving…',
    route: 'dissolveCheckpoint',
    meaning:
      'The summary is no longer sent; what it was made of is sent again. Nothing is deleted: the checkpoint stays in the list and can be restored.',
  },
  restore: {
    title: 'Restore',
    doing: 'Restoring…',
    route: 'restoreCheckpoint',
    meaning:
      'The summary is sent again in the place of its turns. Nothing is deleted: the turns stay in the log, and what stands no longer can be restored.',
  },
} as const;

/** What would come of taking a checkpoint back, or giving it back; then the button that does it. */
export function StandingDialog({ uid, checkpoint, action, onClose }: Props) {
  const { stores } = useApp();
  const { title, doing, route, meaning } = words[action];
  const id = checkpoint.checkpoint_id;
  const ask = useMemo(
    () =>
      createActionStore(
        (preview: boolean) => stores.client.call(route, { params: { id }, body: { preview } }),
        Date.now,
      ),
    [stores, route, id],
  );
  const change = useMemo(
    () =>
      createActionStore(
        (preview: boolean) => stores.client.call(route, { params: { id }, body: { preview } }),
        Date.now,
      ),
    [stores, route, id],
  );
  const preview = useStore(ask);
  const done = useStore(change);
  const { calls } = stores.session(uid);
  const ofCalls = useStore(calls, ({ items }) => newestBudget(items));
  useEffect(() => void calls.load(), [calls]);
  useEffect(() => void ask.run(true), [ask]);
  const confirm = async () => {
    await change.run(false);
    if (change.getState().status !== 'done') return;
    await refreshCheckpoint(stores, uid, id);
    onClose();
  };
  return (
    <ModalDialog
      title={`${title} ${checkpointName(checkpoint)}`}
      onClose={onClose}
      actions={
        <button
          type="button"
          className="button primary"
          disabled={preview.result === undefined || done.status === 'running'}
          onClick={() => void confirm()}
        >
          {done.status === 'running' ? doing : title}
        </button>
      }
    >
      <p className="soft">{meaning}</p>
      {preview.status === 'running' && <Skeleton label="Working out what would come of it" rows={3} />}
      {preview.error !== undefined && <ErrorLine title="It cannot be done" error={preview.error} />}
      {preview.result !== undefined && (
        <Preview uid={uid} change={{ ...preview.result, token_budget: ofCalls ?? preview.result.token_budget }} />
      )}
      {done.error !== undefined && <ErrorLine title="It was not done" error={done.error} />}
    </ModalDialog>
  );
}

function Preview({ uid, change }: { readonly uid: string; readonly change: StandingChange }) {
  const { lines, warning } = standingChangeWords(change);
  return (
    <>
      <ContextBars before={change.tokens_before} after={change.tokens_after} budget={change.token_budget} />
      <ul className="change-lines">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
        <Named uid={uid} ids={change.standing_again} words={['stands again', 'stand again']} />
        <Named uid={uid} ids={change.standing_no_longer} words={['stands no longer', 'stand no longer']} />
      </ul>
      {warning !== undefined && <p className="notice danger">{warning}</p>}
    </>
  );
}

function Named({
  uid,
  ids,
  words: [one, many],
}: {
  uid: string;
  ids: readonly string[];
  words: readonly [string, string];
}) {
  if (ids.length === 0) return null;
  return (
    <li className="named-checkpoints">
      {ids.map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <CheckpointLink uid={uid} checkpointId={id} />
        </span>
      ))}{' '}
      {ids.length === 1 ? one : many}.
    </li>
  );
}
