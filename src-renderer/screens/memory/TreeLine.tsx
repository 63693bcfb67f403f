import type { CSSProperties } from 'react';
import { Icon } from '../../components/Icon.tsx';
import { PageStatusMark } from '../../components/PageStatusMark.tsx';
import { formatCount } from '../../model/format-number.ts';
import type { TreeRow } from '../../model/memory-tree.ts';
import { pageName } from '../../model/page-words.ts';

const ownerWords = { user: 'User', agent: 'Agent', workspace: 'Other files' } as const;

/** A folder with what is in it, or a page with its kind and marks. */
export function TreeLine({ row }: { readonly row: TreeRow }) {
  const indent: CSSProperties = { paddingInlineStart: 12 + (row.level - 1) * 16 };
  if (row.type === 'folder') return <FolderLine row={row} style={indent} />;
  const { page } = row;
  const isDim = page.status !== 'active' && page.problem === undefined;
  return (
    <div className={`tree-line page${isDim ? ' inactive' : ''}`} style={indent}>
      <PageStatusMark page={page} named={false} />
      <span className="clip tree-name" title={page.path} dir="auto">
        {pageName(page)}
      </span>
      {page.problem !== undefined && (
        <span className="tag warn clip tree-problem" title={page.problem.message}>
          {page.problem.code.replaceAll('_', ' ')}
        </span>
      )}
      {isDim && <span className="tree-note">{page.status}</span>}
      {page.pinned && (
        <span className="tree-mark" title="Pinned: packed first wherever its kind is recalled">
          <Icon name="pin" size={13} />
          <span className="visually-hidden">pinned</span>
        </span>
      )}
      {page.visibility === 'shared' && (
        <span className="tag" title="May be read where others listen">
          shared
        </span>
      )}
      <span className="tree-kind">{page.kind}</span>
    </div>
  );
}

function FolderLine({
  row,
  style,
}: {
  readonly row: Extract<TreeRow, { type: 'folder' }>;
  readonly style: CSSProperties;
}) {
  return (
    <div className={`tree-line folder${row.owner === undefined ? '' : ' owner'}`} style={style}>
      <span className={`tree-arrow${row.open ? ' open' : ''}`}>
        <Icon name="open" size={12} />
      </span>
      <span className="clip tree-name" dir="auto">
        {row.owner !== undefined && (
          <span className={row.owner === 'workspace' ? '' : 'dim'}>
            {ownerWords[row.owner]}
            {row.owner !== 'workspace' && ' '}
          </span>
        )}
        {row.owner !== 'workspace' && row.name}
      </span>
      {row.problems > 0 && (
        <span className="tag warn" title="Files that cannot be read as pages">
          {formatCount(row.problems)} unreadable
        </span>
      )}
      <span className="num dim">{formatCount(row.pages)}</span>
    </div>
  );
}
