import { useRef, useState, type FormEvent } from 'react';
import { useApp } from '../../hooks/app-context.ts';
import { useHotKeys } from '../../hooks/use-hot-keys.ts';
import { hasRecallOptions, recallFields, recallPlaceOf } from '../../model/recall-fields.ts';
import type { RecallPlace } from '../../navigation/memory-place.ts';
import { RecallOptions } from './RecallOptions.tsx';

/** The question and its options; asked with Enter. */
export function RecallForm({ place }: { readonly place: RecallPlace }) {
  const { navigation, stores } = useApp();
  const [fields, setFields] = useState(() => recallFields(place));
  const [open, setOpen] = useState(() => hasRecallOptions(place));
  const field = useRef<HTMLInputElement>(null);
  useHotKeys({ '/': () => field.current?.focus() });
  const ask = (event: FormEvent) => {
    event.preventDefault();
    const next = recallPlaceOf(fields);
    navigation.go(next);
    // The same question again is asked anew: memory may have changed.
    stores.memory.forgetSearches();
  };
  return (
    <form className="recall-form" role="search" aria-label="Ask memory" onSubmit={ask}>
      <div className="recall-question">
        <input
          ref={field}
          className="field recall-query"
          aria-label="Question"
          placeholder="What would the person say?  /"
          dir="auto"
          autoFocus={place.query === undefined}
          maxLength={10_000}
          value={fields.query}
          onChange={(event) => setFields({ ...fields, query: event.target.value })}
        />
        <button type="submit" className="button primary" disabled={fields.query.trim() === ''}>
          Recall
        </button>
        <button type="button" className="button" aria-expanded={open} onClick={() => setOpen(!open)}>
          Options
        </button>
      </div>
      {open && <RecallOptions fields={fields} onChange={setFields} />}
    </form>
  );
}
