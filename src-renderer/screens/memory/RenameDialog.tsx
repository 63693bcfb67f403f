import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { PageReply } from '../../../src-shared/protocol/pages.ts';
import { ErrorLine } from '../../components/ErrorLine.tsx';
import { ModalDialog } from '../../components/ModalDialog.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatNoun } from '../../model/format-number.ts';
import { newPageUri, ownerOf, whyNoPath } from '../../model/new-page-uri.ts';
import { ownerWords, pageName, pageUriOf } from '../../model/page-words.ts';
import type { MemoryPlace } from '../../navigation/memory-place.ts';
import { createActionStore } from '../../stores/create-action-store.ts';

interface Props {
  readonly page: PageReply;
  readonly place: MemoryPlace;
  readonly onClose: () => void;
}

/** Moves a page to another address of the same owner. */
export function RenameDialog({ page, place, onClose }: Props) {
  const { stores, navigation } = useApp();
  const { uri, version: base_version } = page;
  const parsed = pageUriOf(uri);
  const [path, setPath] = useState(parsed?.path ?? '');
  const move = useMemo(
    () =>
      createActionStore(
        (to: string) => stores.client.call('renamePage', { params: { uri }, body: { to, base_version } }),
        Date.now,
      ),
    [stores, uri, base_version],
  );
  const { status, error } = useStore(move);
  if (parsed === undefined) return null;
  const trimmed = path.trim();
  const refusal = whyNoPath(trimmed);
  const confirm = async () => {
    await move.run(newPageUri(ownerOf(parsed), trimmed));
    const moved = move.getState().result;
    if (moved === undefined) return;
    stores.memory.gone(uri);
    stores.memory.list.put(moved);
    onClose();
    navigation.step({ ...place, page: moved.uri });
  };
  return (
    <ModalDialog
      title={`Rename “${pageName(page)}”`}
      onClose={onClose}
      actions={
        <button
          type="button"
          className="button primary"
          disabled={refusal !== undefined || trimmed === parsed.path || status === 'running'}
          onClick={() => void confirm()}
        >
          {status === 'running' ? 'Moving…' : 'Rename'}
        </button>
      }
    >
      <p className="soft">
        The file moves, its history goes with it, and links to it are kept
        {page.backlinks.length > 0 && ` (${formatNoun(page.backlinks.length, 'page points', 'pages point')} at it)`}.
        The title stays: change it under “Edit”.
      </p>
      <label className="form-row">
        Folder and name, of {ownerWords(uri)}
        <input
          className="field mono"
          spellCheck={false}
          value={path}
          onChange={(event) => setPath(event.target.value)}
        />
      </label>
      {refusal !== undefined && <p className="note">{refusal}</p>}
      {error !== undefined && <ErrorLine title="It was not renamed" error={error} />}
    </ModalDialog>
  );
}
