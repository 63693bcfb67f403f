import { useState } from 'react';
import { CopyButton } from '../../components/CopyButton.tsx';
import { LineDiff } from '../../components/LineDiff.tsx';
import { formatCount } from '../../model/format-number.ts';
import type { DraftBase } from '../../stores/create-draft-store.ts';

interface Props {
  readonly base: DraftBase;
  readonly theirs: DraftBase;
  readonly yours: string;
  readonly saving: boolean;
  readonly onKeepYours: () => void;
  readonly onTakeTheirs: () => void;
  /** Moves to the text below, which is then saved over theirs. */
  readonly onMerge: () => void;
}

/** Somebody else wrote the page meanwhile: both texts against what they were made from, and what to do. */
export function EditConflict({ base, theirs, yours, saving, onKeepYours, onTakeTheirs, onMerge }: Props) {
  const [folded, setFolded] = useState(false);
  return (
    <section className="conflict" aria-label="Conflict">
      <p className="notice warn" role="alert">
        Somebody else wrote version {formatCount(theirs.version)} while you wrote on version {formatCount(base.version)}
        . Nothing is lost: choose one, or merge by hand in the text below and save that. Whatever stands no longer stays
        in the history.
      </p>
      <div className="conflict-tools">
        <button type="button" className="button small primary" disabled={saving} onClick={onKeepYours}>
          Save yours over theirs
        </button>
        <button type="button" className="button small" disabled={saving} onClick={onTakeTheirs}>
          Take theirs, drop yours
        </button>
        <button type="button" className="button small" onClick={onMerge}>
          Merge by hand
        </button>
        <CopyButton text={theirs.text} label="Copy theirs" />
        <CopyButton text={yours} label="Copy yours" />
        <button
          type="button"
          className="button small plain conflict-fold"
          aria-expanded={!folded}
          onClick={() => setFolded(!folded)}
        >
          {folded ? 'Show both' : 'Hide both'}
        </button>
      </div>
      {!folded && (
        <div className="conflict-sides">
          <div>
            <h4>Yours, against version {formatCount(base.version)}</h4>
            <LineDiff before={base.text} after={yours} label="What you changed" fold />
          </div>
          <div>
            <h4>
              Theirs, version {formatCount(theirs.version)} against {formatCount(base.version)}
            </h4>
            <LineDiff before={base.text} after={theirs.text} label="What they changed" fold />
          </div>
        </div>
      )}
    </section>
  );
}
