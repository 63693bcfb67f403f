import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { useStore } from 'zustand';
import { Icon } from '../components/Icon.tsx';
import { useApp } from '../hooks/app-context.ts';

/** Searches pages, turns and summaries from everywhere; Ctrl K or ⌘ K goes here. */
export function SearchField() {
  const { navigation, stores } = useApp();
  const query = useStore(navigation, ({ place }) => (place.at === 'search' ? (place.query ?? '') : ''));
  const [text, setText] = useState(query);
  const [shown, setShown] = useState(query);
  const field = useRef<HTMLInputElement>(null);
  if (query !== shown) {
    setShown(query);
    setText(query);
  }
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      if (document.querySelector('[role="dialog"]') !== null) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  const search = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return;
    stores.memory.forgetSearches();
    navigation.go({ at: 'search', query: text.trim() });
    field.current?.blur();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    setText(query);
    field.current?.blur();
  };
  return (
    <form className="top-search" role="search" aria-label="Everything" onSubmit={search}>
      <Icon name="search" size={14} />
      <input
        ref={field}
        type="search"
        className="field small"
        aria-label="Search everything"
        placeholder="Search everything  Ctrl K"
        spellCheck={false}
        dir="auto"
        maxLength={10_000}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </form>
  );
}
