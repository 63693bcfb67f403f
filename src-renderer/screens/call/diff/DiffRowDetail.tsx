import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { ExactText } from '../../../components/ExactText.tsx';
import { LineDiff } from '../../../components/LineDiff.tsx';
import { Skeleton } from '../../../components/Skeleton.tsx';
import type { Reply } from '../../../client/engine-client.ts';
import type { DiffRow } from '../../../model/diff-rows.ts';
import { formatCount } from '../../../model/format-number.ts';
import { messageText } from '../../../model/message-text.ts';
import { reasonSentence } from '../../../model/reason-sentence.ts';
import type { ValueStore } from '../../../stores/create-value-store.ts';

/** Where the texts of the two calls come from; a call that was only run again has none of its own. */
export interface DiffBodies {
  readonly before: ValueStore<Reply<'callMessages'>>;
  readonly after: ValueStore<Reply<'callMessages'>> | undefined;
  readonly names: { readonly before: string; readonly after: string };
}

interface Props {
  readonly row: DiffRow;
  readonly bodies: DiffBodies;
}

/** Both decisions as sentences, and the texts against each other when that is asked for. */
export function DiffRowDetail({ row, bodies }: Props) {
  const { entry, before, after } = row;
  const [texts, setTexts] = useState(false);
  const isSent = entry.before?.position !== undefined || entry.after?.position !== undefined;
  return (
    // What is pressed or selected in here does not close the row.
    <div className="diff-detail" onClick={(event) => event.stopPropagation()}>
      <dl className="diff-sentences">
        <dt>{bodies.names.before}</dt>
        <dd>{before === undefined ? 'It was no candidate.' : reasonSentence(before.decision, before.item)}</dd>
        <dt>{bodies.names.after}</dt>
        <dd>{after === undefined ? 'It was no candidate.' : reasonSentence(after.decision, after.item)}</dd>
      </dl>
      <p className="note">
        {placeText(row)}
        {entry.before?.within !== undefined &&
          ` Before, it was one of ${formatCount(entry.before.within)} turns that were decided together.`}
        {entry.after?.within !== undefined &&
          ` Now it is one of ${formatCount(entry.after.within)} turns that were decided together.`}
      </p>
      {isSent &&
        (texts ? (
          <Texts row={row} bodies={bodies} />
        ) : (
          <button type="button" className="button small" onClick={() => setTexts(true)}>
            {entry.fields.includes('content') ? 'Compare the texts' : 'Show the text'}
          </button>
        ))}
    </div>
  );
}

function placeText({ entry }: DiffRow): string {
  const [before, after] = [entry.before?.position, entry.after?.position];
  if (before === undefined && after === undefined) return 'It is no message of either list.';
  if (before === undefined) return `Message ${formatCount((after ?? 0) + 1)} of the list now.`;
  if (after === undefined) return `It was message ${formatCount(before + 1)} of the list.`;
  return before === after
    ? `Message ${formatCount(before + 1)} of both lists.`
    : `Message ${formatCount(before + 1)} before, ${formatCount(after + 1)} now.`;
}

function Texts({ row, bodies }: Props) {
  const before = useTexts(bodies.before, row.entry.before?.item);
  const after = useTexts(bodies.after ?? bodies.before, row.entry.after?.item);
  const failed = before.error ?? after.error;
  if (failed !== undefined) {
    return (
      <ErrorState title="The texts could not be read" error={failed} onRetry={() => (before.retry(), after.retry())} />
    );
  }
  if (before.text === undefined || after.text === undefined) return <Skeleton label="Reading the texts" rows={3} />;
  const isOtherText = bodies.after === undefined && row.entry.fields.includes('content');
  if (isOtherText)
    return <p className="note">The text of a call that was only tried is not kept: {row.entry.preview}</p>;
  // What only one of the two has is no comparison.
  if (row.entry.before?.position === undefined || row.entry.after?.position === undefined) {
    return <ExactText text={before.text === '' ? after.text : before.text} reveal={false} />;
  }
  return <LineDiff before={before.text} after={after.text} label="Texts of the two calls" fold />;
}

/** All messages of an item in a call, one after another; empty when it has none. */
function useTexts(store: ValueStore<Reply<'callMessages'>>, item: string | undefined) {
  const state = useStore(store);
  useEffect(() => void store.load(), [store]);
  const messages = state.value?.messages.filter((entry) => entry.item === item);
  return {
    text: messages?.map(({ message }) => messageText(message)).join('\n\n'),
    error: state.value === undefined ? state.error : undefined,
    retry: () => void store.refresh(),
  };
}
