import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { PageVersion } from '../../../src-shared/model/memory-page.ts';
import type { PageReply } from '../../../src-shared/protocol/pages.ts';
import { ErrorLine } from '../../components/ErrorLine.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { LineDiff } from '../../components/LineDiff.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { countChanges } from '../../model/fold-diff.ts';
import { diffLines } from '../../model/diff-lines.ts';
import { formatCount, formatNoun } from '../../model/format-number.ts';
import { createActionStore } from '../../stores/create-action-store.ts';

interface Props {
  readonly page: PageReply;
  readonly version: PageVersion;
  /** The version before it, where there is one. */
  readonly before: number | undefined;
  readonly isNewest: boolean;
}

type Against = 'before' | 'now';

/** What a version changed, or how it differs from what stands now; and the way back to it. */
export function VersionChange({ page, version, before, isNewest }: Props) {
  const { stores } = useApp();
  const [against, setAgainst] = useState<Against>('before');
  const { uri } = page;
  const isGone = version.change === 'deleted';
  const restore = useMemo(
    () =>
      createActionStore(async (wanted: number) => {
        const written = await stores.client.call('restorePage', {
          params: { uri },
          body: { version: wanted, base_version: page.version },
        });
        await stores.memory.changed(uri);
        return written;
      }, Date.now),
    [stores, uri, page.version],
  );
  const { status, error } = useStore(restore);
  return (
    <section className="version-change" aria-label={`Version ${version.version}`}>
      <div className="pane-tools">
        <div className="filter-set" role="group" aria-label="Compare with">
          <button
            type="button"
            className="button small"
            aria-pressed={against === 'before'}
            onClick={() => setAgainst('before')}
          >
            What it changed
          </button>
          <button
            type="button"
            className="button small"
            aria-pressed={against === 'now'}
            disabled={isNewest}
            onClick={() => setAgainst('now')}
          >
            Against now
          </button>
        </div>
        <button
          type="button"
          className="button small history-restore"
          disabled={isNewest || isGone || status === 'running'}
          title={isNewest ? 'This is what stands' : 'Written anew as the newest version; nothing is deleted'}
          onClick={() => void restore.run(version.version)}
        >
          {status === 'running' ? 'Restoring…' : `Restore version ${formatCount(version.version)}`}
        </button>
      </div>
      {error !== undefined && <ErrorLine title="It was not restored" error={error} />}
      {isGone ? (
        <p className="version-none soft">
          The file was gone after this. Restore the version before it to have it back.
        </p>
      ) : (
        <Change
          uri={uri}
          before={against === 'before' ? before : version.version}
          after={against === 'before' ? version.version : undefined}
          now={page}
        />
      )}
    </section>
  );
}

interface ChangeProps {
  readonly uri: string;
  /** Undefined: there was nothing. */
  readonly before: number | undefined;
  /** Undefined: what stands now. */
  readonly after: number | undefined;
  readonly now: PageReply;
}

function Change({ uri, before, after, now }: ChangeProps) {
  const old = useVersionText(uri, before, '', now);
  const next = useVersionText(uri, after, now.content, now);
  const changes = useMemo(
    () =>
      old.text === undefined || next.text === undefined ? undefined : countChanges(diffLines(old.text, next.text)),
    [old.text, next.text],
  );
  const failed = old.error ?? next.error;
  if (failed !== undefined) return <ErrorState title="The version could not be read" error={failed} />;
  if (old.text === undefined || next.text === undefined || changes === undefined)
    return <Skeleton label="Reading the versions" rows={6} />;
  return (
    <div className="version-diff">
      <p className="note">
        {old.text === next.text
          ? 'The text is the same.'
          : `${formatNoun(changes.added, 'line')} added, ${formatCount(changes.removed)} removed.`}
      </p>
      <LineDiff before={old.text} after={next.text} label="Changed lines" fold />
    </div>
  );
}

/** The text of a version; `otherwise` where no version is asked for. */
function useVersionText(uri: string, version: number | undefined, otherwise: string, now: PageReply) {
  const { stores } = useApp();
  const isNow = version === now.version;
  const store = stores.memory.version(uri, isNow || version === undefined ? 1 : version);
  const { value, error } = useStore(store);
  const needed = version !== undefined && !isNow;
  useEffect(() => {
    if (needed) void store.load();
  }, [store, needed]);
  if (version === undefined) return { text: otherwise, error: undefined };
  return isNow ? { text: now.content, error: undefined } : { text: value?.content, error };
}
