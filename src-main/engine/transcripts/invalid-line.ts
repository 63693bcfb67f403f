import { EngineError } from '../../../src-shared/model/engine-error.ts';

/** @param found what the line has, as the end of a sentence that says it is not as expected */
export function invalidLine(lineNumber: number, found: string, cause?: unknown): EngineError {
  return new EngineError(
    'import_invalid',
    `Line ${lineNumber} is not as in an exported transcript: ${found}. Nothing was imported.`,
    { details: { line: lineNumber }, cause },
  );
}

/** Text of a transcript within such a sentence. */
export function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}
