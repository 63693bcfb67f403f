import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { z } from 'zod';
import type { forgetPageReplySchema, PageReply } from '../../../src-shared/protocol/pages.ts';
import { ErrorLine } from '../../components/ErrorLine.tsx';
import { ModalDialog } from '../../components/ModalDialog.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatCount } from '../../model/format-number.ts';
import { pageName } from '../../model/page-words.ts';
import type { MemoryPlace } from '../../navigation/memory-place.ts';
import { present } from '../../navigation/present.ts';
import { createActionStore } from '../../stores/create-action-store.ts';

interface Props {
  readonly page: PageReply;
  readonly place: MemoryPlace;
  readonly onClose: () => void;
}

/** Removes a page with its history, after its name was typed; then tells what went and what still holds it. */
export function ForgetDialog({ page, place, onClose }: Props) {
  const { stores, navigation } = useApp();
  const [typed, setTyped] = useState('');
  const { uri } = page;
  const name = page.title === '' ? uri : page.title;
  const forget = useMemo(
    () =>
      createActionStore(async (confirm: string) => {
        stores.memory.leaving(uri, true);
        try {
          const body = { mode: 'hard', confirm, reason: 'by hand' } as const;
          return await stores.client.call('deletePage', { params: { uri }, body });
        } catch (error) {
          stores.memory.leaving(uri, false);
          throw error;
        }
      }, Date.now),
    [stores, uri],
  );
  const { status, error, result } = useStore(forget);
  const close = () => {
    if (result === undefined) return onClose();
    stores.memory.gone(uri);
    const { find, kind, mark } = place;
    navigation.go({ at: 'memory', ...present({ find, kind, mark }) });
  };
  return (
    <ModalDialog
      title={result === undefined ? `Forget “${pageName(page)}” for good` : 'Forgotten'}
      onClose={close}
      closeWord={result === undefined ? 'Cancel' : 'Close'}
      actions={
        result === undefined && (
          <button
            type="button"
            className="button danger"
            disabled={(typed !== name && typed !== uri) || status === 'running'}
            onClick={() => void forget.run(typed)}
          >
            {status === 'running' ? 'Removing…' : 'Remove it for good'}
          </button>
        )
      }
    >
      {result === undefined ? (
        <>
          <p className="soft">
            The file, all of its {formatCount(page.version)} versions and its rows in the index are removed from this
            disk. It cannot be undone. To let it stand no longer and keep it, retire it instead.
          </p>
          <label className="form-row">
            <span>
              Type <strong>{name}</strong> to confirm
            </span>
            <input
              className="field"
              autoComplete="off"
              spellCheck={false}
              dir="auto"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </label>
          {error !== undefined && <ErrorLine title="It was not removed" error={error} />}
        </>
      ) : (
        <Forgotten answer={result} />
      )}
    </ModalDialog>
  );
}

function Forgotten({ answer }: { readonly answer: z.infer<typeof forgetPageReplySchema> }) {
  return (
    <>
      <section>
        <h4>Removed</h4>
        {answer.removed.length === 0 ? (
          <p className="dim">Nothing was there any more.</p>
        ) : (
          <ul className="change-lines">
            {answer.removed.map(({ what, count }) => (
              <li key={what}>
                {what} <span className="num dim">{formatCount(count)}</span>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section>
        <h4>Still holds it</h4>
        {answer.remains.length === 0 ? (
          <p className="soft">Nothing that Strata keeps.</p>
        ) : (
          <ul className="change-lines">
            {answer.remains.map(({ what, until }) => (
              <li key={what}>
                {what} <span className="dim">until {until}</span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}
