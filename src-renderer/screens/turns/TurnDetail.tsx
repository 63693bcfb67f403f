import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { TurnPart, TurnRecord } from '../../../src-shared/model/turn-envelope.ts';
import { CheckpointLink } from '../../components/CheckpointLink.tsx';
import { CopyButton } from '../../components/CopyButton.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { Facts, type Fact } from '../../components/Facts.tsx';
import { MessageView } from '../../components/MessageView.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatExactTime } from '../../model/format-time.ts';
import { toJson } from '../../model/message-text.ts';
import { partText } from '../../model/turn-search.ts';
import { createValueStore } from '../../stores/create-value-store.ts';
import { readStoredTurn } from '../../stores/read-stored-turn.ts';

interface Props {
  readonly uid: string;
  readonly record: TurnRecord;
}

/** A turn in full: its parts as the engine reads them, or the host's message as it came. */
export function TurnDetail({ uid, record }: Props) {
  const [as, setAs] = useState<'parts' | 'raw'>('parts');
  return (
    // What is clicked in here does not close the row.
    <div className="turn-detail" onClick={(event) => event.stopPropagation()}>
      <Facts facts={facts(uid, record)} />
      <div className="turn-body">
        <div className="filter-set" role="group" aria-label="Shown as">
          <button type="button" className="button small" aria-pressed={as === 'parts'} onClick={() => setAs('parts')}>
            Parts
          </button>
          <button type="button" className="button small" aria-pressed={as === 'raw'} onClick={() => setAs('raw')}>
            Host’s message
          </button>
        </div>
        {as === 'raw' ? <Raw uid={uid} sequence={record.turn.sequence} /> : <Parts parts={record.turn.parts} />}
      </div>
    </div>
  );
}

function Parts({ parts }: { readonly parts: readonly TurnPart[] }) {
  if (parts.length === 0) return <p className="dim">This message has no parts.</p>;
  return (
    <ol className="parts">
      {parts.map((part, index) => (
        // Parts have no ids and are never reordered.
        <li key={index}>
          <p className="part-name">
            {part.type.replace('_', ' ')}
            {'tool_name' in part && <code> {part.tool_name}</code>}
            {'key' in part && <code> {part.key}</code>}
          </p>
          <MessageView message={partText(part)} name={`part ${index + 1}`} />
        </li>
      ))}
    </ol>
  );
}

function Raw({ uid, sequence }: { readonly uid: string; readonly sequence: number }) {
  const { stores } = useApp();
  const turn = useMemo(
    () => createValueStore(() => readStoredTurn(stores.client, uid, sequence), Date.now),
    [stores, uid, sequence],
  );
  const state = useStore(turn);
  useEffect(() => void turn.load(), [turn]);
  if (state.value !== undefined) return <MessageView message={toJson(state.value.raw)} name={`turn ${sequence}`} />;
  return state.error === undefined ? (
    <Skeleton label="Reading the message" rows={3} />
  ) : (
    <ErrorState title="The message could not be read" error={state.error} onRetry={() => void turn.refresh()} />
  );
}

function facts(uid: string, record: TurnRecord): Fact[] {
  const shown: Fact[] = [
    { name: 'Time', value: <span className="num">{formatExactTime(record.turn.timestamp)}</span> },
    { name: 'URI', value: <CopyButton text={record.uri} label="Copy URI" /> },
    { name: 'Epoch', value: <span className="num">{record.epoch}</span> },
    { name: 'Content hash', value: <code title={record.content_hash}>{record.content_hash.slice(0, 12)}…</code> },
  ];
  if (record.entry_id !== undefined) shown.push({ name: 'Host’s entry', value: <code>{record.entry_id}</code> });
  if (record.advancement_key !== undefined) {
    shown.push({ name: 'Advancement', value: <code>{record.advancement_key}</code> });
  }
  if (record.checkpoint_id !== undefined) {
    shown.push({ name: 'Covered by', value: <CheckpointLink uid={uid} checkpointId={record.checkpoint_id} /> });
  }
  return shown;
}
