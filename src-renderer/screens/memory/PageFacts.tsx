import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { PageReply } from '../../../src-shared/protocol/pages.ts';
import { Facts, type Fact } from '../../components/Facts.tsx';
import { Time } from '../../components/Time.tsx';
import { UriLink } from '../../components/UriLink.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatBytes, formatCount } from '../../model/format-number.ts';
import { authorWord, changeWord, ownerWords, visibilityMeaning } from '../../model/page-words.ts';

/** The head of the page as it stands in the file, its links both ways, and where it comes from. */
export function PageFacts({ page }: { readonly page: PageReply }) {
  return (
    <aside className="page-side" aria-label="About the page" tabIndex={-1}>
      <Facts facts={useHead(page)} />
      <Part title="Links" count={page.links.length} empty="It points at no other page in its front matter.">
        {page.links.map(({ to, type }) => (
          <li key={`${type} ${to}`}>
            <span className="dim">{type.replaceAll('_', ' ')}</span> <UriLink uri={to} />
          </li>
        ))}
      </Part>
      <Part title="Backlinks" count={page.backlinks.length} empty="No page points at it.">
        {page.backlinks.map(({ from, type, title }) => (
          <li key={`${type} ${from}`}>
            <UriLink uri={from} name={title === '' ? undefined : title} />{' '}
            <span className="dim">{type.replaceAll('_', ' ')}</span>
          </li>
        ))}
      </Part>
      <Part title="Sources" count={page.sources.length} empty="It names no turn or file that it comes from.">
        {page.sources.map((source) => (
          <li key={source}>
            <UriLink uri={source} />
          </li>
        ))}
      </Part>
    </aside>
  );
}

function useHead(page: PageReply): Fact[] {
  const { stores } = useApp();
  const newest = useStore(stores.memory.history(page.uri), (state) => state.items[0]);
  const list = (name: string, values: readonly string[]): Fact[] =>
    values.length === 0 ? [] : [{ name, value: values.join(', ') }];
  return [
    { name: 'Owner', value: ownerWords(page.uri) },
    { name: 'File', value: <code>{page.path}</code> },
    ...list('Aliases', page.aliases),
    ...list('Tags', page.tags),
    ...list('Read only for', page.scope),
    { name: 'Visibility', value: <span title={visibilityMeaning(page.visibility)}>{page.visibility}</span> },
    {
      name: 'Version',
      value: (
        <span className="num">
          {formatCount(page.version)} <span className="dim">· {formatBytes(page.size)}</span>
        </span>
      ),
    },
    ...(newest === undefined
      ? []
      : [
          {
            name: 'Last',
            value: (
              <>
                {authorWord(newest.author)} {changeWord(newest.change)} it, <Time iso={newest.at} />
                {newest.reason !== undefined && <span className="dim">: {newest.reason}</span>}
              </>
            ),
          },
        ]),
    { name: 'Created', value: <Time iso={page.created_at} as="both" /> },
    { name: 'Updated', value: <Time iso={page.updated_at} as="both" /> },
  ];
}

interface PartProps {
  readonly title: string;
  readonly count: number;
  readonly empty: string;
  readonly children: ReactNode;
}

function Part({ title, count, empty, children }: PartProps) {
  return (
    <section>
      <h3>
        {title} <span className="num dim">{count === 0 ? '' : formatCount(count)}</span>
      </h3>
      {count === 0 ? <p className="dim">{empty}</p> : <ul className="page-links">{children}</ul>}
    </section>
  );
}
