import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { PageReply, PageWrite } from '../../../src-shared/protocol/pages.ts';
import { CopyButton } from '../../components/CopyButton.tsx';
import { ErrorLine } from '../../components/ErrorLine.tsx';
import { Icon } from '../../components/Icon.tsx';
import { PageStatusMark } from '../../components/PageStatusMark.tsx';
import { UriLink } from '../../components/UriLink.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { pageName } from '../../model/page-words.ts';
import { createActionStore } from '../../stores/create-action-store.ts';

export type PageAction = 'rename' | 'retire' | 'forget';

interface Props {
  readonly page: PageReply;
  readonly onAction: (action: PageAction) => void;
}

/** What the page is and how it stands, with what can be done to it. */
export function PageHeader({ page, onAction }: Props) {
  const { stores } = useApp();
  const { uri, version: base_version, content_hash: base_hash } = page;
  const change = useMemo(
    () =>
      createActionStore(async (fields: Pick<PageWrite, 'pinned' | 'status'>) => {
        const written = await stores.client.call('savePage', {
          params: { uri },
          body: { ...fields, base_version, base_hash, author: 'user' },
        });
        await stores.memory.changed(uri);
        return written;
      }, Date.now),
    [stores, uri, base_version, base_hash],
  );
  const { status, error } = useStore(change);
  const busy = status === 'running';
  const isActive = page.status === 'active';
  const isReadable = page.problem === undefined;
  return (
    <header className="page-header">
      <div className="detail-title">
        <h2 className="clip" dir="auto" title={page.title}>
          {pageName(page)}
        </h2>
        <span className="tag">{page.kind}</span>
        <PageStatusMark page={page} />
        {page.pinned && (
          <span className="mark" title="Packed first wherever its kind is recalled">
            <Icon name="pin" size={14} /> Pinned
          </span>
        )}
        {page.visibility === 'shared' && <span className="tag">shared</span>}
        <div className="page-actions">
          {isReadable && isActive && (
            <button
              type="button"
              className="button small"
              disabled={busy}
              onClick={() => void change.run({ pinned: !page.pinned })}
            >
              {page.pinned ? 'Unpin' : 'Pin'}
            </button>
          )}
          <button type="button" className="button small" onClick={() => onAction('rename')}>
            Rename
          </button>
          {isReadable &&
            (isActive ? (
              <button type="button" className="button small" onClick={() => onAction('retire')}>
                Retire
              </button>
            ) : (
              <button
                type="button"
                className="button small"
                disabled={busy}
                title="It holds again: recall finds it as before"
                onClick={() => void change.run({ status: 'active' })}
              >
                Make active again
              </button>
            ))}
          <button type="button" className="button small" onClick={() => onAction('forget')}>
            Forget for good
          </button>
        </div>
      </div>
      <div className="page-address">
        <code className="clip" title={uri}>
          {uri}
        </code>
        <CopyButton text={uri} label="Copy URI" />
      </div>
      {page.problem !== undefined && (
        <p className="notice warn">
          This file cannot be read as a page: {page.problem.message} It is kept as it is; recall leaves it out until it
          is mended.
        </p>
      )}
      {page.status === 'superseded' && (
        <p className="notice">
          {page.superseded_by === undefined ? (
            'Another page holds instead; recall leaves this one out.'
          ) : (
            <>
              <UriLink uri={page.superseded_by} /> holds instead; recall leaves this one out.
            </>
          )}
        </p>
      )}
      {page.status === 'retired' && isReadable && (
        <p className="notice">
          Retired: recall leaves it out. The file and its history stay, and it can be made active again.
        </p>
      )}
      {error !== undefined && <ErrorLine title="It was not changed" error={error} />}
    </header>
  );
}
