import { useRef, useState, type KeyboardEvent } from 'react';
import { useStore } from 'zustand';
import { ErrorLine } from '../../components/ErrorLine.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { estimateMeaning, estimateTokens } from '../../model/estimate-tokens.ts';
import { formatCount, formatNoun } from '../../model/format-number.ts';
import { Tokens } from '../../components/Tokens.tsx';
import { EditConflict } from './EditConflict.tsx';

/** The whole file as text. What is written here is kept until it is saved or given up, wherever one goes. */
export function PageEditor({ uri }: { readonly uri: string }) {
  const { stores } = useApp();
  const draft = stores.memory.draft(uri);
  const state = useStore(draft);
  const [reason, setReason] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  if (state.base === undefined) return null;
  const saving = state.status === 'saving';
  const save = async () => {
    await draft.save(reason.trim() === '' ? undefined : reason.trim());
    if (draft.getState().status === 'saved') setReason('');
    await stores.memory.changed(uri);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (state.dirty && state.theirs === undefined) void save();
  };
  return (
    <div className="editor" onKeyDown={onKeyDown}>
      {state.theirs !== undefined && (
        <EditConflict
          base={state.base}
          theirs={state.theirs}
          yours={state.text}
          saving={saving}
          onKeepYours={() => void save()}
          onTakeTheirs={() => draft.discard()}
          onMerge={() => field.current?.focus()}
        />
      )}
      {state.error !== undefined && <ErrorLine title="It was not saved; your text is still here" error={state.error} />}
      {state.base.lineEnds === 'mixed' && (
        <p className="notice">
          The lines of this file end in different ways. Saved from here, they all end with a line feed.
        </p>
      )}
      <textarea
        ref={field}
        className="editor-text"
        aria-label="Text of the file"
        spellCheck={false}
        dir="auto"
        value={state.text}
        onChange={(event) => draft.edit(event.target.value)}
      />
      <div className="editor-foot">
        <span className="dim num">
          Version {formatCount(state.base.version)} · {formatNoun(state.text.length, 'character')} ·{' '}
          <Tokens value={estimateTokens(state.text)} counter="characters" unit explain={estimateMeaning} />
        </span>
        <span className={`editor-state${state.dirty ? ' warn' : ' dim'}`} role="status">
          {saving ? 'Saving…' : state.dirty ? 'Not saved' : state.status === 'saved' ? 'Saved' : 'Unchanged'}
        </span>
        <input
          className="field small editor-reason"
          aria-label="Why, for the history"
          placeholder="Why, for the history"
          maxLength={1_000}
          value={reason}
          disabled={!state.dirty}
          onChange={(event) => setReason(event.target.value)}
        />
        <button
          type="button"
          className="button small"
          disabled={!state.dirty || saving}
          onClick={() => draft.discard()}
        >
          {state.theirs === undefined ? 'Discard changes' : 'Discard yours'}
        </button>
        <button
          type="button"
          className="button small primary"
          title="Ctrl S"
          disabled={!state.dirty || saving || state.theirs !== undefined}
          onClick={() => void save()}
        >
          Save
        </button>
      </div>
    </div>
  );
}
