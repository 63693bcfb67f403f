import { codeSynopsis, findLanguage } from './code-synopsis.ts';
import { diffSynopsis, isDiff } from './diff-synopsis.ts';
import { jsonSynopsis, parseJson } from './json-synopsis.ts';
import { isLog, logSynopsis } from './log-synopsis.ts';
import { plainSynopsis } from './plain-synopsis.ts';
import { findDelimiter, tableSynopsis } from './table-synopsis.ts';

export type SynopsisKind = 'json' | 'table' | 'log' | 'diff' | 'code' | 'plain';

export interface Synopsis {
  /** At most `maxCharacters` UTF-16 units; no control characters but line breaks and tabs, no lone surrogates. */
  readonly text: string;
  readonly kind: SynopsisKind;
}

/**
 * What a large text is about, made by rules alone: the same input gives the same bytes, in this process and in any other.
 * Cost is linear in the text.
 * @param maxCharacters at least 200, or the parts that say what is left out would be all there is
 */
export function synopsisOf(text: string, options: { readonly maxCharacters: number }): Synopsis {
  const max = Math.max(200, options.maxCharacters);
  if (isDiff(text)) return { kind: 'diff', text: diffSynopsis(text, max) };
  const json = parseJson(text);
  if (json) return { kind: 'json', text: jsonSynopsis(json, max) };
  if (isLog(text)) return { kind: 'log', text: logSynopsis(text, max) };
  const delimiter = findDelimiter(text);
  if (delimiter) return { kind: 'table', text: tableSynopsis(text, delimiter, max) };
  const language = findLanguage(text);
  if (language) return { kind: 'code', text: codeSynopsis(text, language, max) };
  return { kind: 'plain', text: plainSynopsis(text, max) };
}
