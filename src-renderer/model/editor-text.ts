export type LineEnds = 'lf' | 'crlf' | 'mixed';

export interface EditorText {
  /** As a text field holds it: lines end with LF alone. */
  readonly text: string;
  readonly lineEnds: LineEnds;
}

/** A file's text for a text field, which knows only one kind of line end. */
export function toEditorText(content: string): EditorText {
  const text = content.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  if (!content.includes('\r')) return { text, lineEnds: 'lf' };
  return { text, lineEnds: text.replaceAll('\n', '\r\n') === content ? 'crlf' : 'mixed' };
}

/** The file's text again; lines end as they did, and with LF where they did not agree. */
export function fromEditorText({ text, lineEnds }: EditorText): string {
  return lineEnds === 'crlf' ? text.replaceAll('\n', '\r\n') : text;
}
