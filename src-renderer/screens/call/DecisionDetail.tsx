import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { TraceItem } from '../../../src-shared/model/trace.ts';
import { CopyButton } from '../../components/CopyButton.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { Facts, type Fact } from '../../components/Facts.tsx';
import { MessageView } from '../../components/MessageView.tsx';
import { PlaceLink } from '../../components/PlaceLink.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { Time } from '../../components/Time.tsx';
import { useApp } from '../../hooks/app-context.ts';
import type { DecisionRow } from '../../model/decision-rows.ts';
import { formatCount, formatScore } from '../../model/format-number.ts';
import { reasonSentence } from '../../model/reason-sentence.ts';
import { DecisionCheckpoints } from './DecisionCheckpoints.tsx';
import { DecisionMemory } from './DecisionMemory.tsx';
import { LeastBudget } from './LeastBudget.tsx';
import { StoredTurn } from './StoredTurn.tsx';

interface Props {
  readonly uid: string;
  readonly callId: string;
  readonly row: DecisionRow;
}

/** A decision in full: its sentence, its values, and the message that it is about. */
export function DecisionDetail({ uid, callId, row }: Props) {
  // It may be of another session, so nothing about it is looked for in this one.
  const isRecalled = row.item?.kind === 'recalled_memory';
  return (
    <div className="decision-detail">
      <p className="decision-sentence">{reasonSentence(row.decision, row.item)}</p>
      {!isRecalled && <DecisionCheckpoints uid={uid} callId={callId} row={row} />}
      <DecisionMemory item={row.item} />
      <div className="decision-actions">
        <PlaceLink place={{ at: 'call', uid, callId, view: 'steps', step: row.decision.seq }}>
          Stand at this step
        </PlaceLink>
        {row.decision.action === 'dropped' && row.item?.count === 1 && (
          <LeastBudget callId={callId} item={row.decision.item} />
        )}
      </div>
      <div className="decision-columns">
        <Facts facts={facts(row)} />
        <Body uid={uid} callId={callId} row={row} />
      </div>
    </div>
  );
}

/** What comes from memory stands in no log; its link leads to where it stands. */
const memoryKinds: ReadonlySet<string> = new Set(['profile', 'memory_index', 'recalled_memory']);

function Body({ uid, callId, row }: Props) {
  const { item, decision } = row;
  if (item === undefined) return <p className="dim">The trace does not list this item.</p>;
  if (item.count > 1) return <RangeBody item={item} />;
  if (decision.action === 'dropped' && memoryKinds.has(item.kind))
    return <p className="soft">It was not sent. Its beginning: “{item.preview}”</p>;
  if (decision.action === 'dropped') return <StoredTurn uid={uid} item={item} />;
  return <SentMessage uid={uid} callId={callId} item={item} />;
}

/** The message as the call answered it. */
function SentMessage({ uid, callId, item }: { uid: string; callId: string; item: TraceItem }) {
  const { stores } = useApp();
  const { messages } = stores.session(uid).call(callId);
  const state = useStore(messages);
  useEffect(() => void messages.load(), [messages]);
  if (state.value === undefined) {
    return state.error === undefined ? (
      <Skeleton label="Reading the messages of the call" rows={3} />
    ) : (
      <ErrorState title="The message could not be read" error={state.error} onRetry={() => void messages.refresh()} />
    );
  }
  const sent = state.value.messages.filter((entry) => entry.item === item.item);
  if (sent.length > 0) {
    // What is recalled is a call of a tool and its result.
    return (
      <div className="sent-messages">
        {sent.map((entry, index) => (
          <MessageView key={index} message={entry.message} name={`${item.item} ${index + 1}`} />
        ))}
      </div>
    );
  }
  if (state.value.missing.includes(item.item)) {
    return <p className="dim">The body is no longer stored: only its hash and its preview are kept.</p>;
  }
  return <StoredTurn uid={uid} item={item} />;
}

function RangeBody({ item }: { readonly item: TraceItem }) {
  return (
    <p className="soft">
      {formatCount(item.count)} turns were decided together, with {formatCount(item.tokens)} tokens. They are word for
      word in the session’s turns. The newest of them: “{item.preview}”
    </p>
  );
}

function facts({ decision, item, label }: DecisionRow): Fact[] {
  const shown: Fact[] = [
    { name: 'Code', value: <code>{decision.reason}</code> },
    { name: 'Item', value: label },
  ];
  for (const [name, value] of Object.entries(decision.scores)) {
    shown.push({ name: `Score: ${name}`, value: <span className="num">{formatScore(value)}</span> });
  }
  if (decision.threshold !== undefined) {
    shown.push({ name: 'Threshold', value: <span className="num">{formatScore(decision.threshold)}</span> });
  }
  if (item !== undefined) {
    shown.push({ name: 'Source', value: item.source });
    if (item.as_of !== undefined) shown.push({ name: 'Read', value: <Time iso={item.as_of} as="both" /> });
    if (item.uri !== undefined) shown.push({ name: 'URI', value: <CopyButton text={item.uri} label="Copy URI" /> });
    if (item.content_hash !== undefined) {
      shown.push({
        name: 'Content hash',
        value: <code title={item.content_hash}>{item.content_hash.slice(0, 12)}…</code>,
      });
    }
  }
  return shown;
}
