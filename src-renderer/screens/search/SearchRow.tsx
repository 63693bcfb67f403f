import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { RecallCandidate } from '../../../src-shared/model/recall.ts';
import { Time } from '../../components/Time.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { markTerms } from '../../model/mark-terms.ts';
import { ownerWords } from '../../model/page-words.ts';
import { sourceWord } from '../../model/recall-words.ts';
import { sessionName } from '../../model/session-name.ts';

interface Props {
  readonly candidate: RecallCandidate;
  readonly terms: readonly string[];
}

/** What was found, with the words that were looked for, and where it stands. */
export function SearchRow({ candidate, terms }: Props) {
  const pieces = useMemo(() => markTerms(candidate.text, terms), [candidate.text, terms]);
  return (
    <div className="search-row">
      <span className="tag">{sourceWord(candidate.source)}</span>
      <div className="search-what">
        <div className="card-line">
          <span className="clip">
            <span className="strong" dir="auto">
              {candidate.title === '' ? sourceWord(candidate.source) : candidate.title}
            </span>{' '}
            <span className="soft">
              <Where candidate={candidate} />
            </span>
          </span>
          <span className="card-time">{candidate.at !== undefined && <Time iso={candidate.at} />}</span>
        </div>
        <p className="search-text soft" dir="auto">
          {pieces.map((piece, index) => (piece.marked ? <mark key={index}>{piece.text}</mark> : piece.text))}
        </p>
      </div>
      <span className="num right soft" title="Score from 0 to 1">
        {candidate.score.toFixed(2)}
      </span>
    </div>
  );
}

function Where({ candidate }: { readonly candidate: RecallCandidate }) {
  const { stores } = useApp();
  const { session_uid: uid, source, kind, role } = candidate;
  const name = useStore(stores.sessions, ({ items }) => {
    const found = items.find((session) => session.session_uid === uid);
    return found === undefined ? undefined : sessionName(found);
  });
  if (source === 'page') return `${kind} of ${ownerWords(candidate.uri)}`;
  return `${role === undefined ? '' : `${role}, `}${name ?? uid ?? ''}`;
}
