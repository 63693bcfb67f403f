import { oneLine } from './visible-text.ts';
import { synopsisOf } from './synopsis-of.ts';

/**
 * Of what stubs and synopses look like. Raise it with every change to their text: stand-ins that were made before are kept
 * over restarts, and are made anew under another version.
 */
export const synopsisVersion = 1;

/** What every stub begins with. */
const mark = '[Strata keeps this result';

export interface StubInput {
  /** Where the whole is read: `strata://…`. */
  readonly uri: string;
  readonly toolName: string;
  /** The whole text. */
  readonly text: string;
  /** Images of the result that the stub stands for too. */
  readonly imagesLeftOut: number;
  readonly synopsisCharacters: number;
}

/**
 * The text that stands for a large tool result in the context: where the whole is, how to read it, and what it is about.
 * The same input gives the same bytes. Undefined where it would not be shorter, and nothing else is left out.
 */
export function resultStub(input: StubInput): string | undefined {
  const { uri, text, imagesLeftOut: images, synopsisCharacters } = input;
  const of = input.toolName === '' ? '' : ` of ${oneLine(input.toolName, 80)}`;
  const pictures = images === 0 ? '' : `${images === 1 ? 'an image' : `${images} images`}`;
  const amount = [text === '' ? '' : `${text.length} characters`, pictures].filter((part) => part !== '').join(' and ');
  const head = `${mark}${of} whole (${amount}) at ${uri}`;
  if (text.length <= synopsisCharacters) {
    return images === 0 ? undefined : `${text}${text === '' ? '' : '\n'}${head}]`;
  }
  const how =
    'To read it call memory_expand with that uri, and a query (words to look for) or a range ("lines 1-200").';
  const stub = `${head}. ${how}]\nSynopsis: ${synopsisOf(text, { maxCharacters: synopsisCharacters }).text}`;
  return stub.length < text.length || images > 0 ? stub : undefined;
}

/** Whether a text is, or ends with, a stub that leads to a stored turn: it was made for one call, and nobody wrote it. */
export function isTurnStub(text: string): boolean {
  const start = text.lastIndexOf(mark);
  return (
    start !== -1 && / at strata:\/\/session\/[^\s/]+\/[^\s/]+\/turn\/\d+[.\]]/.test(text.slice(start, start + 1_000))
  );
}

/** Whether a text is a stub already. */
export function isResultStub(text: string): boolean {
  return text.startsWith(mark);
}
