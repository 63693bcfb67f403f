import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { CheckpointRecord } from '../../../src-shared/model/checkpoint.ts';
import { ErrorLine } from '../../components/ErrorLine.tsx';
import { ModalDialog } from '../../components/ModalDialog.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { useElapsed } from '../../hooks/use-elapsed.ts';
import { checkpointName } from '../../model/checkpoint-words.ts';
import { formatCount } from '../../model/format-number.ts';
import { createActionStore } from '../../stores/create-action-store.ts';
import { refreshCheckpoint } from '../../stores/refresh-checkpoint.ts';
import { RerunComparison } from './RerunComparison.tsx';
import { RerunForm, type RerunSettings } from './RerunForm.tsx';

interface Props {
  readonly uid: string;
  readonly checkpoint: CheckpointRecord;
  readonly onClose: () => void;
}

interface Order extends RerunSettings {
  readonly preview: boolean;
}

/** What is configured is not told to this page; the checkpoint says what was, when it was made. */
function isForHost({ summariser, fallback }: CheckpointRecord): boolean {
  return (fallback?.from ?? summariser) === 'host';
}

/** The same source summed up anew: asked for, compared with what stands, and only then put in its place. */
export function RerunDialog({ uid, checkpoint, onClose }: Props) {
  const { stores, navigation } = useApp();
  const id = checkpoint.checkpoint_id;
  const [settings, setSettings] = useState<RerunSettings>({
    writer: 'configured',
    policy: checkpoint.identifier_policy,
    focus: checkpoint.focus ?? '',
  });
  /** What the shown preview was made with; changed settings ask for a new one. */
  const [previewed, setPreviewed] = useState('');
  const [ask, change] = useMemo(() => {
    const run = ({ preview, writer: by, policy: identifier_policy, focus: look }: Order) =>
      stores.client.call('rerunCheckpoint', {
        params: { id },
        body: { preview, identifier_policy, focus: look, ...(by === 'configured' ? {} : { summariser: by }) },
      });
    return [createActionStore(run, Date.now), createActionStore(run, Date.now)];
  }, [stores, id]);
  const preview = useStore(ask);
  const done = useStore(change);
  const busySince =
    done.status === 'running' ? done.startedAt : preview.status === 'running' ? preview.startedAt : undefined;
  const elapsed = useElapsed(busySince);
  const order = { ...settings, focus: settings.focus.trim() };
  const isCurrent = previewed === JSON.stringify(order);
  const show = () => {
    setPreviewed(JSON.stringify(order));
    change.reset();
    void ask.run({ ...order, preview: true });
  };
  const confirm = async () => {
    await change.run({ ...order, preview: false });
    const made = change.getState().result?.checkpoint;
    if (made === undefined) return;
    await refreshCheckpoint(stores, uid, id);
    onClose();
    navigation.go({ at: 'checkpoint', uid, checkpointId: made.checkpoint_id });
  };
  const ready = preview.result !== undefined && isCurrent;
  return (
    <ModalDialog
      title={`Run ${checkpointName(checkpoint)} again`}
      onClose={onClose}
      wide
      actions={
        <>
          <button
            type="button"
            className={`button${ready ? '' : ' primary'}`}
            disabled={busySince !== undefined}
            onClick={show}
          >
            {preview.status === 'running'
              ? `Writing a preview, ${formatCount(elapsed)} s`
              : ready
                ? 'Preview again'
                : 'Preview'}
          </button>
          <button
            type="button"
            className={`button${ready ? ' primary' : ''}`}
            disabled={!ready || busySince !== undefined}
            onClick={() => void confirm()}
          >
            {done.status === 'running' ? `Writing, ${formatCount(elapsed)} s` : 'Replace'}
          </button>
        </>
      }
    >
      <p className="soft">
        The same {checkpoint.parent_checkpoint_ids.length > 0 ? 'checkpoints are' : 'turns are'} summed up anew. Nothing
        is deleted: the earlier summary stays in the list and can be restored.
      </p>
      <RerunForm settings={settings} onChange={setSettings} />
      {settings.writer === 'configured' && isForHost(checkpoint) && (
        <p className="notice">
          The configured summariser is “host”, and OpenClaw’s model can only be asked from inside OpenClaw, with{' '}
          <code>/compact</code> in a chat. Here the built-in summariser will write.
        </p>
      )}
      {preview.error !== undefined && <ErrorLine title="No preview could be made" error={preview.error} />}
      {done.error !== undefined && <ErrorLine title="The summary was not replaced" error={done.error} />}
      {preview.result !== undefined && (
        <div className={isCurrent ? '' : 'outdated'}>
          {!isCurrent && <p className="notice">The settings changed since this preview.</p>}
          <RerunComparison before={checkpoint} after={preview.result.checkpoint} />
        </div>
      )}
    </ModalDialog>
  );
}
