import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { PageReply } from '../../../src-shared/protocol/pages.ts';
import { Tokens } from '../../components/Tokens.tsx';
import { UriLink } from '../../components/UriLink.tsx';
import { MessageView } from '../../components/MessageView.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { estimateMeaning, estimateTokens } from '../../model/estimate-tokens.ts';
import { pageNames } from '../../model/resolve-page-name.ts';
import { MarkdownText } from './MarkdownText.tsx';
import { PageFacts } from './PageFacts.tsx';

/** What the page says: abstract, compiled truth, timeline; beside it what it is made of and what points at it. */
export function PageText({ page }: { readonly page: PageReply }) {
  const { stores } = useApp();
  const pages = useStore(stores.memory.list, (state) => state.pages);
  const names = useMemo(() => pageNames(pages), [pages]);
  if (page.problem !== undefined) {
    return (
      <div className="page-columns">
        <div className="page-main" tabIndex={-1}>
          <MessageView message={page.content} name="file" />
        </div>
        <PageFacts page={page} />
      </div>
    );
  }
  return (
    <div className="page-columns">
      <div className="page-main" tabIndex={-1}>
        <section>
          <h3>
            Abstract <Size text={page.abstract} />
          </h3>
          {page.abstract === '' ? <p className="dim">None yet.</p> : <p dir="auto">{page.abstract}</p>}
        </section>
        <section>
          <h3>
            Compiled truth <Size text={page.truth} />
          </h3>
          {page.truth.trim() === '' ? (
            <p className="dim">Empty: nothing is held to be true. Write it under “Edit”.</p>
          ) : (
            <MarkdownText text={page.truth} names={names} />
          )}
        </section>
        <section>
          <h3>
            Timeline <span className="num dim">{page.timeline.length === 0 ? '' : page.timeline.length}</span>
          </h3>
          {page.timeline.length === 0 ? (
            <p className="dim">No entry: nothing dated was recorded as evidence.</p>
          ) : (
            <ol className="timeline">
              {page.timeline.map((entry, index) => (
                <li key={index}>
                  <time className="num dim" dateTime={entry.date}>
                    {entry.date}
                  </time>
                  <span dir="auto">
                    {entry.text}
                    {entry.source !== undefined && (
                      <span className="dim">
                        {' · '}
                        <UriLink uri={entry.source} />
                      </span>
                    )}
                  </span>
                </li>
              ))}
            </ol>
          )}
        </section>
        {page.overview !== '' && page.overview !== page.truth.trim() && (
          <details className="page-overview">
            <summary>
              Overview, as it is sent at level 1 <Size text={page.overview} />
            </summary>
            <MarkdownText text={page.overview} names={names} />
          </details>
        )}
      </div>
      <PageFacts page={page} />
    </div>
  );
}

function Size({ text }: { readonly text: string }) {
  return (
    <span className="page-size dim">
      <Tokens value={estimateTokens(text)} counter="characters" unit explain={estimateMeaning} />
    </span>
  );
}
