import { useRef } from 'react';
import { useHotKeys } from '../hooks/use-hot-keys.ts';

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly label: string;
  /** `/` moves the focus here. */
  readonly hotKey?: boolean;
}

/** A filter that answers while one types; Escape empties it and leaves. */
export function FilterField({ value, onChange, label, hotKey = false }: Props) {
  const field = useRef<HTMLInputElement>(null);
  useHotKeys({ '/': () => field.current?.focus() }, { enabled: hotKey });
  return (
    <input
      ref={field}
      type="search"
      className="field filter-field"
      value={value}
      placeholder={hotKey ? `${label}  /` : label}
      aria-label={label}
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onChange('');
        event.currentTarget.blur();
      }}
    />
  );
}
