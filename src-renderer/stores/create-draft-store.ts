import { createStore, type StoreApi } from 'zustand/vanilla';
import type { MemoryPage } from '../../src-shared/model/memory-page.ts';
import { asClientError, type ClientError } from '../client/client-error.ts';
import { fromEditorText, toEditorText, type LineEnds } from '../model/editor-text.ts';

export interface DraftState {
  /** The version that the text was made from. */
  readonly base: DraftBase | undefined;
  readonly text: string;
  readonly dirty: boolean;
  readonly status: 'editing' | 'saving' | 'saved' | 'failed';
  readonly error: ClientError | undefined;
  /** What somebody else wrote meanwhile: the text is not written over it before that was looked at. */
  readonly theirs: DraftBase | undefined;
}

export interface DraftBase {
  readonly version: number;
  readonly hash: string;
  readonly text: string;
  readonly lineEnds: LineEnds;
}

/** The part of the engine that a draft needs. */
export interface DraftParts {
  /** Writes the whole file over the version that it is based on. @throws ClientError `page_conflict` */
  save(content: string, base: DraftBase, reason: string | undefined): Promise<MemoryPage>;
  read(): Promise<MemoryPage>;
}

export interface DraftStore extends StoreApi<DraftState> {
  /** The page as it was read: what is not edited follows it; what is edited learns that somebody else wrote. */
  take(page: MemoryPage): void;
  edit(text: string): void;
  /** Writes the text; never rejects. With `theirs` it is written over that, because the person has seen it. */
  save(reason?: string): Promise<void>;
  /** Gives up what was written here and goes on with what stands. */
  discard(): void;
}

/** A page that is edited by hand. It outlives the view that shows it, so that leaving loses nothing. */
export function createDraftStore(parts: DraftParts): DraftStore {
  const store = createStore<DraftState>(() => ({
    base: undefined,
    text: '',
    dirty: false,
    status: 'editing',
    error: undefined,
    theirs: undefined,
  }));
  const follow = (base: DraftBase, status: DraftState['status']) =>
    store.setState({ base, text: base.text, dirty: false, status, error: undefined, theirs: undefined });

  const take = (page: MemoryPage) => {
    const { base, dirty, text, status } = store.getState();
    const standing = baseOf(page);
    if (status === 'saving' || standing.hash === base?.hash || standing.version < (base?.version ?? 0)) return;
    // Whoever wrote the same has no quarrel.
    if (base === undefined || !dirty || standing.text === text) follow(standing, 'editing');
    else store.setState({ theirs: standing });
  };

  return {
    ...store,
    take,
    edit: (text) => {
      const { base } = store.getState();
      store.setState({ text, dirty: text !== base?.text, status: 'editing', error: undefined });
    },
    async save(reason) {
      const { base, theirs, text, status } = store.getState();
      const over = theirs ?? base;
      if (over === undefined || status === 'saving') return;
      store.setState({ status: 'saving', error: undefined });
      try {
        const content = fromEditorText({ text, lineEnds: over.lineEnds });
        const written = baseOf(await parts.save(content, over, reason));
        const typed = store.getState().text;
        if (typed === text) return follow(written, 'saved');
        // Typed on meanwhile: what was saved is the new ground, what was typed stays.
        store.setState({ base: written, dirty: typed !== written.text, status: 'editing', theirs: undefined });
      } catch (thrown) {
        const error = asClientError(thrown);
        store.setState({ status: 'failed', error });
        if (error.code !== 'page_conflict') return;
        await readTheirs();
      }
    },
    discard: () => {
      const { base, theirs } = store.getState();
      const standing = theirs ?? base;
      if (standing !== undefined) follow(standing, 'editing');
    },
  };

  async function readTheirs(): Promise<void> {
    try {
      const standing = baseOf(await parts.read());
      store.setState({ theirs: standing, status: 'editing', error: undefined });
    } catch (error) {
      store.setState({ error: asClientError(error) });
    }
  }
}

function baseOf(page: MemoryPage): DraftBase {
  return { version: page.version, hash: page.content_hash, ...toEditorText(page.content) };
}
