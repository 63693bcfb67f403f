import type { CSSProperties } from 'react';
import { ActionMark } from '../../../components/ActionMark.tsx';
import { KindMark } from '../../../components/KindMark.tsx';
import { formatCount, formatNoun, formatShare } from '../../../model/format-number.ts';
import { formatSpan } from '../../../model/format-time.ts';
import { sourceWord, type WindowLine } from '../../../model/window-items.ts';

export function WindowRow({ line }: { readonly line: WindowLine }) {
  if (line.group !== undefined) {
    const { name, items, tokens, share } = line.group;
    return (
      <div className="window-line group">
        <span className="window-group clip">
          <strong>{name}</strong> <span className="dim num">{formatNoun(items, 'item')}</span>
        </span>
        <span className="num right strong">≈ {formatCount(tokens)}</span>
        <Share share={share} />
        <span />
      </div>
    );
  }
  const { order, row, tokens, share, age, tool, page } = line.item;
  const { item, decision } = row;
  return (
    <div className="window-line">
      <span className="num dim right">{formatCount(order)}</span>
      {item === undefined ? <span /> : <KindMark kind={item.kind} />}
      <span className="clip">
        <span className="role">{item?.role ?? ''}</span> <span className="num dim">{row.label}</span>
        {tool !== undefined && <span className="tag window-tag">{tool}</span>}
        {page !== undefined && !row.label.includes(page) && <span className="tag window-tag">{page}</span>}{' '}
        <span className="soft">{item?.preview ?? ''}</span>
      </span>
      <span className="soft">{sourceWord(item)}</span>
      <span className="num right">
        {decision.action === 'trimmed' && <ActionMark action="trimmed" word={false} />} {formatCount(tokens)}
      </span>
      <Share share={share} />
      <span className="num right soft">{age === undefined ? '—' : formatSpan(age)}</span>
    </div>
  );
}

function Share({ share }: { readonly share: number }) {
  return (
    <span className="window-share num" style={{ '--share': share } as CSSProperties}>
      {formatShare(share)}
    </span>
  );
}
