import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { ErrorLine } from '../../components/ErrorLine.tsx';
import { ModalDialog } from '../../components/ModalDialog.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { knownKinds, knownOwners, ownerKey, suggestPath } from '../../model/new-page-choices.ts';
import { newPageUri, slugOf, whyNoPath } from '../../model/new-page-uri.ts';
import { createActionStore } from '../../stores/create-action-store.ts';

interface Props {
  /** The page that is open, whose owner the new one gets first. */
  readonly beside: string | undefined;
  readonly onClose: () => void;
}

interface NewPage {
  readonly uri: string;
  readonly kind: string;
  readonly title: string;
  readonly truth: string;
  readonly visibility: 'private' | 'shared';
}

/** A page with what it needs: whose it is, what it is, what it is called, and what it says. */
export function NewPageDialog({ beside, onClose }: Props) {
  const { stores, navigation } = useApp();
  const pages = useStore(stores.memory.list, (state) => state.pages);
  const owners = useMemo(() => knownOwners(pages, beside), [pages, beside]);
  const [ownerName, setOwnerName] = useState(ownerKey(owners[0] ?? { owner: 'user', userId: 'default' }));
  const owner = owners.find((one) => ownerKey(one) === ownerName) ?? { owner: 'user', userId: 'default' };
  const [kind, setKind] = useState('preference');
  const [title, setTitle] = useState('');
  const [path, setPath] = useState<string>();
  const [truth, setTruth] = useState('');
  const [visibility, setVisibility] = useState<'private' | 'shared'>('private');
  const slug = slugOf(title);
  const suggested = suggestPath(pages, owner, kind, slug);
  const at = (path ?? suggested).trim();
  const refusal = whyNoPath(at);
  const make = useMemo(
    () =>
      createActionStore(
        ({ uri, ...fields }: NewPage) =>
          stores.client.call('savePage', { params: { uri }, body: { ...fields, base_version: 0, author: 'user' } }),
        Date.now,
      ),
    [stores],
  );
  const { status, error } = useStore(make);
  const confirm = async () => {
    await make.run({ uri: newPageUri(owner, at), kind, title: title.trim(), truth, visibility });
    const made = make.getState().result;
    if (made === undefined) return;
    stores.memory.list.put(made);
    onClose();
    navigation.go({ at: 'memory', page: made.uri });
  };
  return (
    <ModalDialog
      title="New page"
      onClose={onClose}
      actions={
        <button
          type="button"
          className="button primary"
          disabled={title.trim() === '' || refusal !== undefined || status === 'running'}
          onClick={() => void confirm()}
        >
          {status === 'running' ? 'Writing…' : 'Write the page'}
        </button>
      }
    >
      <div className="form-grid">
        <label className="form-row">
          Owner
          <select className="field" value={ownerName} onChange={(event) => setOwnerName(event.target.value)}>
            {owners.map((one) => (
              <option key={ownerKey(one)} value={ownerKey(one)}>
                {ownerKey(one)}
              </option>
            ))}
          </select>
        </label>
        <label className="form-row">
          Kind
          <select className="field" value={kind} onChange={(event) => setKind(event.target.value)}>
            {knownKinds(pages).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label className="form-row">
          Who may read it
          <select
            className="field"
            value={visibility}
            onChange={(event) => setVisibility(event.target.value === 'shared' ? 'shared' : 'private')}
          >
            <option value="private">private conversations</option>
            <option value="shared">groups and sub-agents too</option>
          </select>
        </label>
      </div>
      <label className="form-row">
        Title
        <input
          className="field"
          dir="auto"
          maxLength={1_000}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
      </label>
      <label className="form-row">
        Folder and name
        <input
          className="field mono"
          spellCheck={false}
          value={path ?? suggested}
          onChange={(event) => setPath(event.target.value)}
        />
      </label>
      <label className="form-row">
        What holds
        <textarea
          className="field form-text"
          dir="auto"
          rows={5}
          value={truth}
          onChange={(event) => setTruth(event.target.value)}
        />
      </label>
      {refusal !== undefined && title !== '' && <p className="note">{refusal}</p>}
      {error !== undefined && <ErrorLine title="The page was not written" error={error} />}
    </ModalDialog>
  );
}
