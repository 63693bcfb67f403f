import { useEffect, useState } from 'react';

interface Props {
  readonly text: string;
  readonly label?: string;
}

/** Copies a text and says whether that worked. */
export function CopyButton({ text, label = 'Copy' }: Props) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), 2_000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    // The clipboard is refused to pages without focus; then the text can still be selected by hand.
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  return (
    <button type="button" className="button small" onClick={copy}>
      <span aria-live="polite">
        {state === 'idle' ? label : state === 'copied' ? 'Copied' : 'Not copied: select it by hand'}
      </span>
    </button>
  );
}
