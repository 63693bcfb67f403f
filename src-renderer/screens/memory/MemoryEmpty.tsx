import { useState } from 'react';
import { Command } from '../../components/Command.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { NewPageDialog } from './NewPageDialog.tsx';

/** What memory is and what fills it. */
export function MemoryEmpty() {
  const [making, setMaking] = useState(false);
  return (
    <section className="full-list">
      <EmptyState title="Memory is empty">
        <p>
          Memory is a folder of Markdown files: one page for each thing that is worth knowing later. The agent writes
          them when it is told to remember something and when a session is compacted; you can write them with any
          editor, and here.
        </p>
        <p>Tell your agent something that holds, and the page appears here by itself:</p>
        <Command text="Remember that I prefer tea without sugar." />
        <button type="button" className="button primary" onClick={() => setMaking(true)}>
          Write the first page
        </button>
      </EmptyState>
      {making && <NewPageDialog beside={undefined} onClose={() => setMaking(false)} />}
    </section>
  );
}
