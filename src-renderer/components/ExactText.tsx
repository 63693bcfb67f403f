import { splitInvisible } from '../model/split-invisible.ts';

interface Props {
  readonly text: string;
  /** Shows characters that cannot be seen by their names. */
  readonly reveal: boolean;
}

/** Text of a model or a person, as text nodes only. */
export function ExactText({ text, reveal }: Props) {
  if (text === '') return <p className="dim">Empty: this message has no text.</p>;
  return (
    <pre className="exact-text" dir="auto" tabIndex={0} aria-label="Message text">
      {reveal
        ? splitInvisible(text).map((piece, index) =>
            piece.invisible === undefined ? (
              piece.text
            ) : (
              <span key={index} className="invisible" title={`${piece.invisible.code} ${piece.invisible.name}`}>
                {piece.invisible.name}
              </span>
            ),
          )
        : text}
    </pre>
  );
}
