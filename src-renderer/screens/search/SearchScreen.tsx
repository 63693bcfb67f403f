import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { RecallCandidate } from '../../../src-shared/model/recall.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { PlaceLink } from '../../components/PlaceLink.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { VirtualList } from '../../components/VirtualList.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatCount, formatNoun } from '../../model/format-number.ts';
import { placeOfUri } from '../../model/place-of-uri.ts';
import { searchRequest } from '../../model/recall-request.ts';
import { searchResults } from '../../model/search-results.ts';
import { recallSources, sourceWords } from '../../model/recall-words.ts';
import type { SearchPlace } from '../../navigation/memory-place.ts';
import { present } from '../../navigation/present.ts';
import { SearchRow } from './SearchRow.tsx';
import './search.css';

/** What was found in pages, turns and summaries, leading to where it stands. */
export function SearchScreen({ place }: { readonly place: SearchPlace }) {
  const { stores } = useApp();
  const query = place.query?.trim() ?? '';
  useEffect(() => {
    void stores.memory.list.load();
    void stores.sessions.load();
  }, [stores]);
  return (
    <section className="full-list">
      {query === '' ? (
        <EmptyState title="Search everything">
          <p>
            Pages of memory, turns of every session and summaries of compactions, found by their words and, with an
            embedder, by their meaning. Type into the field at the top and press Enter.
          </p>
        </EmptyState>
      ) : (
        <Found key={query} query={query} place={place} />
      )}
    </section>
  );
}

function Found({ query, place }: { readonly query: string; readonly place: SearchPlace }) {
  const { stores, navigation } = useApp();
  const store = stores.memory.search(searchRequest(query));
  const { value, error } = useStore(store);
  useEffect(() => void store.load(), [store]);
  if (value === undefined) {
    return error === undefined ? (
      <Skeleton label="Searching" rows={10} />
    ) : (
      <ErrorState title="The search failed" error={error} onRetry={() => void store.refresh()} />
    );
  }
  const { terms, degraded } = value;
  const { found: candidates, weaker } = searchResults(value.candidates);
  const rows = place.source === undefined ? candidates : candidates.filter(({ source }) => source === place.source);
  const open = ({ uri }: RecallCandidate) => {
    const there = placeOfUri(uri);
    if (there !== undefined) navigation.go(there);
  };
  return (
    <>
      <div className="list-head">
        <div className="filter-set" role="group" aria-label="Where">
          {recallSources.map((source) => (
            <button
              key={source}
              type="button"
              className="button small"
              aria-pressed={place.source === source}
              onClick={() =>
                navigation.step({
                  at: 'search',
                  ...present({ query, source: place.source === source ? undefined : source }),
                })
              }
            >
              {sourceWords(source)}{' '}
              <span className="num dim">{formatCount(candidates.filter((one) => one.source === source).length)}</span>
            </button>
          ))}
        </div>
        <span className="list-count num">{formatNoun(candidates.length, 'result')}</span>
        <PlaceLink place={{ at: 'recall', query }} className="link search-explain">
          Explain the scores
        </PlaceLink>
      </div>
      {degraded.map(({ code, message }) => (
        <p key={code} className="notice warn">
          {message}
        </p>
      ))}
      {rows.length === 0 ? (
        <EmptyState title="Nothing found">
          <p>
            {candidates.length > 0
              ? `${formatNoun(candidates.length, 'result')} of another kind are hidden by the filter.`
              : 'No page, turn or summary has these words. Fewer or other words may find it.'}
          </p>
        </EmptyState>
      ) : (
        <VirtualList
          items={rows}
          keyOf={(candidate) => candidate.uri}
          rowHeight={64}
          label="Search results, best first"
          hotKeys
          onOpen={open}
          renderRow={(candidate) => <SearchRow candidate={candidate} terms={terms} />}
          foot={
            weaker > 0
              ? `${formatNoun(weaker, 'weaker candidate')} not shown: “Explain the scores” lists them.`
              : undefined
          }
        />
      )}
    </>
  );
}
