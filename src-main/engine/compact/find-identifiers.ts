import type { IdentifierPolicy } from '../../../src-shared/model/checkpoint.ts';
import { findErrors } from './find-errors.ts';
import type { IdentifierKind } from './identifier-kinds.ts';
import { identifierRules } from './identifier-rules.ts';

export interface Identifier {
  readonly kind: IdentifierKind;
  /** Verbatim. */
  readonly text: string;
}

/** Every identifier has one of these somewhere; most sentences have none. */
const mayHold = /[\d_`/\\#(]|[a-z][A-Z]|\w\.\w|::|agent:|claude|函数|方法|变量|参数|字段/i;

const relaxedKinds: ReadonlySet<IdentifierKind> = new Set(['path', 'function']);

/** Identifiers of a text, each once, in order of their first mention. */
export function findIdentifiers(text: string, policy: IdentifierPolicy): readonly Identifier[] {
  if (policy === 'none') return [];
  const found = new Map<string, { readonly kind: IdentifierKind; readonly at: number }>();
  if (mayHold.test(text)) applyRules(text, policy, found);
  if (policy === 'strict') {
    // What an error message names is an identifier of its own as well.
    for (const { text: message, at } of findErrors(text)) {
      if (!found.has(message)) found.set(message, { kind: 'error', at });
    }
  }
  return [...found].sort((a, b) => a[1].at - b[1].at).map(([identifier, { kind }]) => ({ kind, text: identifier }));
}

function applyRules(
  text: string,
  policy: IdentifierPolicy,
  found: Map<string, { readonly kind: IdentifierKind; readonly at: number }>,
): void {
  let rest = text;
  for (const { kind, needs, pattern, unless } of identifierRules) {
    if (!needs.test(rest)) continue;
    rest = rest.replace(pattern, (match: string, ...groups: unknown[]) => {
      if (unless?.(match)) return match;
      const at = groups.find((group): group is number => typeof group === 'number') ?? 0;
      const identifier = kind === 'variable' ? match.replaceAll('`', '').trim() : match;
      const wanted = policy === 'strict' || relaxedKinds.has(kind);
      if (wanted && identifier !== '' && !found.has(identifier)) found.set(identifier, { kind, at });
      // Blanks of the same length keep positions, and keep later rules out of what was taken.
      return ' '.repeat(match.length);
    });
  }
}
