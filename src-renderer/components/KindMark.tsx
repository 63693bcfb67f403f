import type { SegmentKind } from '../../src-shared/model/trace.ts';
import { segmentKindWords } from '../model/segment-kinds.ts';
import './KindMark.css';

interface Props {
  readonly kind: SegmentKind;
  readonly name?: boolean;
}

/** A kind of segment: its colour, texture and letter, and its name where there is room. */
export function KindMark({ kind, name = true }: Props) {
  const words = segmentKindWords(kind);
  return (
    <span className="kind-mark" title={words.meaning}>
      <span className="kind-swatch kind-fill" data-kind={kind} aria-hidden="true">
        {words.letter}
      </span>
      <span className={name ? 'clip' : 'visually-hidden'}>{words.name}</span>
    </span>
  );
}
