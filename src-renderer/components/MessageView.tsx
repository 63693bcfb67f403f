import { useMemo, useState } from 'react';
import { countInvisible } from '../model/split-invisible.ts';
import { formatCount, formatNoun } from '../model/format-number.ts';
import { messageText, toJson } from '../model/message-text.ts';
import { CopyButton } from './CopyButton.tsx';
import { ExactText } from './ExactText.tsx';
import './MessageView.css';

interface Props {
  readonly message: unknown;
  /** Tells one message's controls from another's, for screen readers. */
  readonly name: string;
}

/** More characters than this are shown only when asked for: a page of text is read, a megabyte is not. */
const shownCharacters = 20_000;

/** A message exactly as it is: as text to read, or as the JSON that it is stored as. Never as HTML. */
export function MessageView({ message, name }: Props) {
  const [as, setAs] = useState<'text' | 'json'>('text');
  const [reveal, setReveal] = useState(false);
  const [whole, setWhole] = useState(false);
  const text = useMemo(() => (as === 'text' ? messageText(message) : toJson(message)), [as, message]);
  const hidden = useMemo(() => countInvisible(text), [text]);
  const cut = !whole && text.length > shownCharacters;
  return (
    <div className="message-view">
      <div className="message-tools" role="group" aria-label={`Message ${name}`}>
        {typeof message !== 'string' && (
          <>
            <ViewButton on={as === 'text'} onClick={() => setAs('text')} label="Text" />
            <ViewButton on={as === 'json'} onClick={() => setAs('json')} label="JSON" />
          </>
        )}
        <ViewButton on={reveal} onClick={() => setReveal(!reveal)} label="Show invisible" />
        <span className="dim num message-size">
          {formatNoun(text.length, 'character')}
          {hidden > 0 && ` · ${formatCount(hidden)} invisible`}
        </span>
        <CopyButton text={text} />
      </div>
      <ExactText text={cut ? text.slice(0, shownCharacters) : text} reveal={reveal} />
      {cut && (
        <button type="button" className="button small" onClick={() => setWhole(true)}>
          Show all {formatCount(text.length)} characters ({formatCount(shownCharacters)} shown)
        </button>
      )}
    </div>
  );
}

function ViewButton({ on, onClick, label }: { on: boolean; onClick: () => void; label: string }) {
  return (
    <button type="button" className="button small" aria-pressed={on} onClick={onClick}>
      {label}
    </button>
  );
}
