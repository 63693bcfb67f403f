import { Tabs } from '@base-ui/react/tabs';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { PageReply } from '../../../src-shared/protocol/pages.ts';
import { ErrorState } from '../../components/ErrorState.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StaleNotice } from '../../components/StaleNotice.tsx';
import { useApp } from '../../hooks/app-context.ts';
import type { MemoryPlace, PageView } from '../../navigation/memory-place.ts';
import { present } from '../../navigation/present.ts';
import { ForgetDialog } from './ForgetDialog.tsx';
import { PageEditor } from './PageEditor.tsx';
import { PageHeader, type PageAction } from './PageHeader.tsx';
import { PageHistory } from './PageHistory.tsx';
import { PageOperations } from './PageOperations.tsx';
import { PageText } from './PageText.tsx';
import { RenameDialog } from './RenameDialog.tsx';
import { RetireDialog } from './RetireDialog.tsx';

interface Props {
  readonly place: MemoryPlace;
  readonly uri: string;
}

/** One page: what it says, its text to edit, its versions, and what was judged about it. */
export function PageDetail({ place, uri }: Props) {
  const { stores } = useApp();
  const store = stores.memory.page(uri);
  const { value, error, loadedAt } = useStore(store);
  useEffect(() => void store.load(), [store]);
  useEffect(() => void stores.sessions.load(), [stores]);
  useEffect(() => void stores.memory.history(uri).load(), [stores, uri]);
  if (value !== undefined) {
    return (
      <>
        <StaleNotice error={error} loadedAt={loadedAt} onRetry={() => void store.refresh()} />
        <Loaded place={place} page={value} />
      </>
    );
  }
  return error === undefined ? (
    <Skeleton label="Reading the page" rows={10} />
  ) : (
    <ErrorState title="The page could not be read" error={error} onRetry={() => void store.refresh()} />
  );
}

function Loaded({ place, page }: { readonly place: MemoryPlace; readonly page: PageReply }) {
  const { stores, navigation } = useApp();
  const { uri } = page;
  const [action, setAction] = useState<PageAction>();
  const draft = stores.memory.draft(uri);
  const unsaved = useStore(draft, (state) => state.dirty);
  const versions = useStore(stores.memory.history(uri), (state) => state.total);
  useEffect(() => draft.take(page), [draft, page]);
  const view = place.view ?? 'page';
  const show = (next: PageView) => {
    const { at, find, kind, mark } = place;
    navigation.step({ at, page: uri, ...present({ find, kind, mark, view: next === 'page' ? undefined : next }) });
  };
  const close = () => setAction(undefined);
  return (
    <div className="page-detail">
      <PageHeader page={page} onAction={setAction} />
      <Tabs.Root className="tabs" value={view} onValueChange={(next: PageView) => show(next)}>
        <Tabs.List className="tab-list" activateOnFocus aria-label="Parts of the page">
          <Tabs.Tab value="page" className="tab">
            Page
          </Tabs.Tab>
          <Tabs.Tab value="edit" className="tab">
            Edit {unsaved && <span className="tag warn">not saved</span>}
          </Tabs.Tab>
          <Tabs.Tab value="history" className="tab">
            History <span className="num dim">{versions === 0 ? '' : versions}</span>
          </Tabs.Tab>
          <Tabs.Tab value="operations" className="tab">
            Operations
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="page" className="tab-panel">
          <PageText page={page} />
        </Tabs.Panel>
        <Tabs.Panel value="edit" className="tab-panel">
          <PageEditor uri={uri} />
        </Tabs.Panel>
        <Tabs.Panel value="history" className="tab-panel">
          <PageHistory place={place} page={page} />
        </Tabs.Panel>
        <Tabs.Panel value="operations" className="tab-panel">
          <PageOperations uri={uri} />
        </Tabs.Panel>
      </Tabs.Root>
      {action === 'rename' && <RenameDialog page={page} place={place} onClose={close} />}
      {action === 'retire' && <RetireDialog page={page} onClose={close} />}
      {action === 'forget' && <ForgetDialog page={page} place={place} onClose={close} />}
    </div>
  );
}
