import { useMemo } from 'react';
import { UriLink } from '../../components/UriLink.tsx';
import { pageText, type TextPiece } from '../../model/page-text.ts';
import { resolvePageName, type PageNames } from '../../model/resolve-page-name.ts';

interface Props {
  readonly text: string;
  readonly names: PageNames;
}

/** Markdown as text, with headings and lists that can be told apart and names of pages that lead there. */
export function MarkdownText({ text, names }: Props) {
  const lines = useMemo(() => pageText(text.trim()), [text]);
  return (
    <div className="markdown">
      {lines.map((line, index) => (
        <div key={index} className={`line-${line.kind}`} dir="auto">
          {line.pieces.map((piece, at) => (
            <Piece key={at} piece={piece} names={names} />
          ))}
        </div>
      ))}
    </div>
  );
}

function Piece({ piece, names }: { readonly piece: TextPiece; readonly names: PageNames }) {
  if (!('target' in piece)) return piece.text;
  const uri = piece.target.startsWith('strata://') ? piece.target : resolvePageName(names, piece.target);
  if (uri !== undefined) return <UriLink uri={uri} name={piece.text} />;
  // An address outside is shown, not linked: following it would tell others that it was read.
  if (piece.form === 'markdown') return `${piece.text} (${piece.target})`;
  return (
    <span className="unresolved" title={`No page, or more than one, is called “${piece.target}”`}>
      {piece.text}
    </span>
  );
}
