import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { PageReply } from '../../../src-shared/protocol/pages.ts';
import { ErrorLine } from '../../components/ErrorLine.tsx';
import { ModalDialog } from '../../components/ModalDialog.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { pageName } from '../../model/page-words.ts';
import { createActionStore } from '../../stores/create-action-store.ts';

interface Props {
  readonly page: PageReply;
  readonly onClose: () => void;
}

/** Lets a page stand no longer; nothing is deleted. */
export function RetireDialog({ page, onClose }: Props) {
  const { stores } = useApp();
  const [reason, setReason] = useState('');
  const { uri, version: base_version } = page;
  const retire = useMemo(
    () =>
      createActionStore(async (why: string) => {
        const answer = await stores.client.call('deletePage', {
          params: { uri },
          body: { mode: 'retire', base_version, ...(why === '' ? {} : { reason: why }) },
        });
        await stores.memory.changed(uri);
        return answer;
      }, Date.now),
    [stores, uri, base_version],
  );
  const { status, error } = useStore(retire);
  const confirm = async () => {
    await retire.run(reason.trim());
    if (retire.getState().status === 'done') onClose();
  };
  return (
    <ModalDialog
      title={`Retire “${pageName(page)}”`}
      onClose={onClose}
      actions={
        <button type="button" className="button primary" disabled={status === 'running'} onClick={() => void confirm()}>
          {status === 'running' ? 'Retiring…' : 'Retire'}
        </button>
      }
    >
      <p className="soft">
        Recall no longer finds it. The file and every version stay, and it can be made active again at any time.
      </p>
      <label className="form-row">
        Why, for the history
        <input className="field" maxLength={1_000} value={reason} onChange={(event) => setReason(event.target.value)} />
      </label>
      {error !== undefined && <ErrorLine title="It was not retired" error={error} />}
    </ModalDialog>
  );
}
