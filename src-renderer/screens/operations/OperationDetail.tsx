import { useMemo, type MouseEvent } from 'react';
import { useStore } from 'zustand';
import type { MemoryOperation } from '../../../src-shared/model/memory-operation.ts';
import { CheckpointLink } from '../../components/CheckpointLink.tsx';
import { ErrorLine } from '../../components/ErrorLine.tsx';
import { Facts, type Fact } from '../../components/Facts.tsx';
import { Mark } from '../../components/Mark.tsx';
import { Time } from '../../components/Time.tsx';
import { UriLink } from '../../components/UriLink.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatScore } from '../../model/format-number.ts';
import { gateList, memoryActionMeaning, methodWords, versionWords, whyNotUndone } from '../../model/operation-words.ts';
import { authorWord } from '../../model/page-words.ts';
import { createActionStore } from '../../stores/create-action-store.ts';

/** A judgement in full: gates, what it was compared with, where it comes from, and the way back. */
export function OperationDetail({ operation }: { readonly operation: MemoryOperation }) {
  const { stores } = useApp();
  const { operation_id: id, uri, supersedes } = operation;
  const undo = useMemo(
    () =>
      createActionStore(async (wanted: string) => {
        const undone = await stores.client.call('undoMemoryOperation', { params: { id: wanted } });
        const touched = [uri, supersedes].filter((one) => one !== undefined);
        await Promise.all(touched.map((one) => stores.memory.changed(one)));
        if (touched.length === 0) stores.memory.take({ type: 'memory.operation', operation_id: wanted });
        return undone;
      }, Date.now),
    [stores, uri, supersedes],
  );
  const { status, error } = useStore(undo);
  const refusal = whyNotUndone(operation);
  // Inside of a row that closes when it is clicked.
  const keep = (event: MouseEvent) => event.stopPropagation();
  return (
    <div className="operation-detail" onClick={keep}>
      <p className="soft">
        {memoryActionMeaning(operation.action)}. <code>{operation.reason.code}</code>
      </p>
      <p className="operation-text" dir="auto">
        {operation.text}
      </p>
      <div className="operation-columns">
        <Facts facts={factsOf(operation)} />
        <div className="operation-side">
          <h4>Gates</h4>
          <ul className="gates">
            {gateList(operation).map(({ name, passed, meaning }) => (
              <li key={name} title={meaning}>
                <Mark fill={passed ? 'full' : 'none'} word={`${name}${passed ? '' : ': no'}`} />
              </li>
            ))}
          </ul>
          <h4>Compared with</h4>
          {operation.compared.length === 0 ? (
            <p className="dim">Nothing that is known was near it.</p>
          ) : (
            <ul className="compared">
              {operation.compared.map((other) => (
                <li key={other.uri}>
                  <span className="num">{formatScore(other.similarity)}</span>
                  <span className="compared-bar" aria-hidden="true">
                    <span style={{ width: `${Math.max(0, Math.min(1, other.similarity)) * 100}%` }} />
                  </span>
                  <span className="clip">
                    <UriLink uri={other.uri} />
                  </span>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
      <div className="operation-undo">
        <button
          type="button"
          className="button small"
          disabled={refusal !== undefined || status === 'running'}
          title={refusal ?? 'Put the pages back as they were before it'}
          onClick={() => void undo.run(id)}
        >
          {status === 'running' ? 'Undoing…' : 'Undo'}
        </button>
        {operation.undone_at !== undefined && (
          <span className="soft">
            Undone <Time iso={operation.undone_at} />
          </span>
        )}
      </div>
      {error !== undefined && <ErrorLine title="It was not undone" error={error} />}
    </div>
  );
}

function factsOf(operation: MemoryOperation): Fact[] {
  const { uri, supersedes, session_uid: session, checkpoint_id: checkpoint, sources } = operation;
  const versions = versionWords(operation);
  const shown: Fact[] = [];
  if (uri !== undefined) {
    shown.push({
      name: 'Page',
      value: (
        <>
          <UriLink uri={uri} /> {versions !== '' && <span className="dim num">{versions}</span>}
        </>
      ),
    });
  }
  if (supersedes !== undefined) shown.push({ name: 'Stands no longer', value: <UriLink uri={supersedes} /> });
  shown.push({ name: 'How', value: `${authorWord(operation.author)}, ${methodWords(operation)}` });
  shown.push({ name: 'For', value: `user ${operation.user_id}, agent ${operation.agent_id}` });
  if (session !== undefined) {
    const address = `strata://session/${encodeURIComponent(operation.user_id)}/${encodeURIComponent(session)}`;
    shown.push({ name: 'Session', value: <UriLink uri={address} /> });
    if (checkpoint !== undefined)
      shown.push({ name: 'Checkpoint', value: <CheckpointLink uid={session} checkpointId={checkpoint} /> });
  }
  if (sources.length > 0) {
    shown.push({
      name: 'Found in',
      value: sources.slice(0, 8).map((source, index) => (
        <span key={source}>
          {index > 0 && ', '}
          <UriLink uri={source} />
        </span>
      )),
    });
  }
  shown.push({ name: 'When', value: <Time iso={operation.at} as="both" /> });
  return shown;
}
