import type { IdentifierPolicy } from '../../../src-shared/model/checkpoint.ts';

export type IdentifierKind =
  'url' | 'path' | 'uuid' | 'hash' | 'host_port' | 'function' | 'variable' | 'issue' | 'version' | 'id';

export interface Identifier {
  readonly kind: IdentifierKind;
  /** Verbatim. */
  readonly text: string;
}

interface Rule {
  readonly kind: IdentifierKind;
  readonly pattern: RegExp;
}

/** In order: what an earlier rule took is not looked at by a later one. Chinese text may stand right beside a match. */
const rules: readonly Rule[] = [
  {
    kind: 'url',
    pattern:
      /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>"'`\u3000-\u303f\uff00-\uffef]+[^\s<>"'`.,;:!?)\]}\u3000-\u303f\uff00-\uffef]/gi,
  },
  { kind: 'uuid', pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi },
  {
    kind: 'path',
    pattern: /(?<![\w/.-])(?:~|\.{1,2}|[A-Za-z]:|[\w@.-]+)?(?:[/\\][\w@.+-]+)+(?:\.\w+)?(?::\d+(?:[:-]\d+)?)?/g,
  },
  {
    kind: 'path',
    pattern:
      /(?<![\w/.-])[\w@-]+(?:\.[\w-]+)*\.(?:tsx?|jsx?|mjs|cjs|json|ya?ml|toml|md|py|rs|go|java|c|h|cpp|hpp|cs|rb|php|sh|sql|html|css|txt|log|csv|xml|ini|cfg|conf|lock|env)(?::\d+(?:[:-]\d+)?)?\b/g,
  },
  { kind: 'host_port', pattern: /\b(?:\d{1,3}(?:\.\d{1,3}){3}|localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)+)(?::\d{2,5})\b/gi },
  { kind: 'host_port', pattern: /\b\d{1,3}(?:\.\d{1,3}){3}\b/g },
  { kind: 'host_port', pattern: /\bport\s+\d{2,5}\b/gi },
  // At least one letter and one digit, so that a plain number or an English word of a–f is not taken for a hash.
  { kind: 'hash', pattern: /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b/g },
  { kind: 'function', pattern: /\b[A-Za-z_$][\w$]*(?:[.#]|::)?[\w$]*\(\)/g },
  { kind: 'issue', pattern: /(?:[\w.-]+\/[\w.-]+)?#\d{1,7}\b/g },
  { kind: 'version', pattern: /\bv?\d+\.\d+\.\d+(?:-[\w.]+)?\b/g },
  { kind: 'id', pattern: /\b[A-Z][A-Z0-9]{1,9}-\d{1,8}\b/g },
  { kind: 'variable', pattern: /`[^`\n]{2,80}`/g },
  {
    kind: 'variable',
    pattern: /\b(?:[a-z]+(?:[A-Z][a-z0-9]+)+|[a-z0-9]+(?:_[a-z0-9]+)+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/g,
  },
];

const relaxedKinds: ReadonlySet<IdentifierKind> = new Set(['path', 'function']);

/** Identifiers of a text, each once, in order of their first mention. */
export function findIdentifiers(text: string, policy: IdentifierPolicy): readonly Identifier[] {
  if (policy === 'none') return [];
  const found = new Map<string, { readonly kind: IdentifierKind; readonly at: number }>();
  let rest = text;
  for (const { kind, pattern } of rules) {
    rest = rest.replace(pattern, (match: string, ...groups: unknown[]) => {
      const at = groups.find((group): group is number => typeof group === 'number') ?? 0;
      const identifier = kind === 'variable' ? match.replaceAll('`', '') : match;
      const wanted = policy === 'strict' || relaxedKinds.has(kind);
      if (wanted && identifier.trim() !== '' && !found.has(identifier)) found.set(identifier, { kind, at });
      // Blanks of the same length keep positions, and keep later rules out of what was taken.
      return ' '.repeat(match.length);
    });
  }
  return [...found].sort((a, b) => a[1].at - b[1].at).map(([identifier, { kind }]) => ({ kind, text: identifier }));
}
