import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { PageHead } from '../../../src-shared/model/memory-page.ts';
import { PlaceLink } from '../../components/PlaceLink.tsx';
import { Time } from '../../components/Time.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatCount } from '../../model/format-number.ts';
import { memoryFigures, type KindFigures } from '../../model/memory-figures.ts';
import { ownerWords, pageName } from '../../model/page-words.ts';
import type { MemoryPlace, PageMarkFilter } from '../../navigation/memory-place.ts';

/** Beside the tree while no page is chosen: what there is, what changed, what cannot be read. */
export function MemoryOverview({ place }: { readonly place: MemoryPlace }) {
  const { stores } = useApp();
  const pages = useStore(stores.memory.list, (state) => state.pages);
  const { kinds, problems, pinned, recent } = useMemo(() => memoryFigures(pages), [pages]);
  return (
    <div className="memory-overview" tabIndex={-1}>
      <section>
        <h2>What memory holds</h2>
        <table className="plain-table memory-kinds">
          <thead>
            <tr>
              <th scope="col">Kind</th>
              <th scope="col" className="right">
                Active
              </th>
              <th scope="col" className="right">
                Superseded
              </th>
              <th scope="col" className="right">
                Retired
              </th>
            </tr>
          </thead>
          <tbody>
            {kinds.map((row) => (
              <tr key={row.kind}>
                <td className="grow">
                  <PlaceLink place={{ ...place, kind: row.kind }}>{row.kind}</PlaceLink>
                </td>
                <Figure row={row} mark="active" />
                <Figure row={row} mark="superseded" />
                <Figure row={row} mark="retired" />
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {problems.length > 0 && (
        <section>
          <h2>
            Cannot be read as pages <span className="num dim">{formatCount(problems.length)}</span>
          </h2>
          <p className="soft">
            They are kept as they are and hold up nothing else. Mend them with any editor, or here.
          </p>
          <ul className="memory-problems">
            {problems.slice(0, 20).map((page) => (
              <li key={page.uri} className="notice warn">
                <PlaceLink place={{ ...place, page: page.uri }} className="link">
                  {page.path}
                </PlaceLink>
                : {page.problem?.message}
              </li>
            ))}
            {problems.length > 20 && <li className="dim">and {formatCount(problems.length - 20)} more</li>}
          </ul>
        </section>
      )}
      <PageTable title="Changed last" pages={recent} place={place} />
      {pinned.length > 0 && <PageTable title="Pinned" pages={pinned.slice(0, 20)} place={place} />}
    </div>
  );
}

function Figure({ row, mark }: { readonly row: KindFigures; readonly mark: PageMarkFilter & keyof KindFigures }) {
  const value = row[mark];
  return (
    <td className="right num">
      {value === 0 ? (
        <span className="dim">0</span>
      ) : (
        <PlaceLink place={{ at: 'memory', kind: row.kind, mark }}>{formatCount(Number(value))}</PlaceLink>
      )}
    </td>
  );
}

interface TableProps {
  readonly title: string;
  readonly pages: readonly PageHead[];
  readonly place: MemoryPlace;
}

function PageTable({ title, pages, place }: TableProps) {
  return (
    <section>
      <h2>{title}</h2>
      <table className="plain-table">
        <tbody>
          {pages.map((page) => (
            <tr key={page.uri}>
              <td className="grow clip">
                <PlaceLink place={{ ...place, page: page.uri }} title={page.abstract}>
                  {pageName(page)}
                </PlaceLink>
              </td>
              <td className="soft">{page.kind}</td>
              <td className="soft">{ownerWords(page.uri)}</td>
              <td className="right soft">
                <Time iso={page.updated_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
