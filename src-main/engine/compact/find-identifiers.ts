import type { IdentifierPolicy } from '../../../src-shared/model/checkpoint.ts';
import { findErrors } from './find-errors.ts';

export type IdentifierKind =
  | 'url'
  | 'path'
  | 'line'
  | 'uuid'
  | 'hash'
  | 'host_port'
  | 'function'
  | 'variable'
  | 'issue'
  | 'version'
  | 'id'
  | 'session_key'
  | 'host'
  | 'model'
  | 'error';

export const identifierKinds: readonly IdentifierKind[] = [
  'path',
  'line',
  'function',
  'variable',
  'hash',
  'uuid',
  'url',
  'host',
  'host_port',
  'version',
  'issue',
  'error',
  'model',
  'id',
  'session_key',
];

export interface Identifier {
  readonly kind: IdentifierKind;
  /** Verbatim. */
  readonly text: string;
}

interface Rule {
  readonly kind: IdentifierKind;
  readonly pattern: RegExp;
  /** What the pattern matches and no identifier is. */
  readonly unless?: (match: string) => boolean;
}

/** Names of model families; a provider before them and a tag after them belong to the name. */
const modelName =
  /(?<![\w./:@\\-])(?:[a-z0-9][\w.-]{0,40}\/){0,2}(?:gpt|chatgpt|o[1-9]|claude|gemini|gemma|meta-llama|llama|codellama|qwen|qwq|deepseek|mistral|mixtral|codestral|devstral|ministral|phi|grok|kimi|glm|granite|command-[ra]|minimax|text-embedding|nomic-embed|bge|mxbai)(?:[\w.-]{0,80}\w)?(?::(?:[\w.-]{0,40}\w))?(?![\w/\\]|[.:-]\w)/gi;

/** `gpt-client`, `phi` and `llama.cpp` are no models: a number belongs to one, or what sort of Claude it is. */
function isModel(match: string): boolean {
  if (/\.(?:gguf|safetensors|bin|onnx|[cm]?[jt]sx?|json|py|md|ya?ml|cpp|go|rs|sh|txt|com|ai|org)$/i.test(match))
    return false;
  const name = match.slice(match.lastIndexOf('/') + 1);
  return /^o[1-9](?:-\w+)*$/i.test(name)
    ? /-/.test(name) || match.includes('/')
    : /\d|claude-(?:opus|sonnet|haiku)/i.test(name);
}

/**
 * In order: what an earlier rule took is not looked at by a later one. Chinese text may stand right beside a match. Each
 * pattern either starts at a place where the same pattern cannot start again one character further, or is bounded, so
 * that a long run of one kind of character takes linear time.
 */
const rules: readonly Rule[] = [
  {
    kind: 'url',
    pattern:
      /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>"'`\u3000-\u303f\uff00-\uffef]*[^\s<>"'`.,;:!?)\]}\u3000-\u303f\uff00-\uffef]/gi,
  },
  { kind: 'issue', pattern: /(?<![\w./#-])(?:[\w.-]{1,100}\/[\w.-]{1,100})?#\d{1,7}\b/g },
  { kind: 'issue', pattern: /\b(?:issues?|PR|pull request|merge request)\s{1,3}\d{1,7}\b(?![.,]\d)/gi },
  { kind: 'session_key', pattern: /(?<![\w:-])agent:[\w.-]{1,100}(?::[\w.-]{0,99}\w){1,8}/g },
  { kind: 'uuid', pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi },
  { kind: 'model', pattern: modelName, unless: (match) => !isModel(match) },
  {
    kind: 'path',
    pattern: /(?<![\w@/\\.+-])(?:~|[A-Za-z]:|[\w@.+-]+)?(?:[/\\][\w@.+-]*[\w@+-])+[/\\]?(?::\d+(?:[:-]\d+)?)?/g,
    unless: isNoPath,
  },
  {
    kind: 'path',
    pattern:
      /(?<![\w@/.-])[\w@-]+(?:\.[\w-]+)*\.(?:tsx?|jsx?|mjs|cjs|json|ya?ml|toml|md|py|rs|go|java|c|h|cpp|hpp|cs|rb|php|sh|sql|html|css|txt|log|csv|xml|ini|cfg|conf|lock|env)(?::\d+(?:[:-]\d+)?)?\b/g,
  },
  {
    kind: 'host_port',
    pattern: /(?<![\w.-])(?:\d{1,3}(?:\.\d{1,3}){3}|localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)+):\d{2,5}\b/gi,
    unless: (match) => !/[a-z]/i.test(match) && !/^\d+(?:\.\d+){3}:/.test(match),
  },
  { kind: 'host_port', pattern: /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\d)/g },
  // IPv6 in brackets, and bare where two colons or a letter tell it from a time of day.
  { kind: 'host_port', pattern: /\[[0-9a-f:]{2,39}\](?::\d{2,5})?/gi, unless: (match) => !match.includes('::') },
  {
    kind: 'host_port',
    pattern:
      /(?<![\w:.])(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){7}|(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,5})?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,5})?)(?![\w:])/gi,
    unless: (match) => !/[0-9]/.test(match),
  },
  {
    kind: 'host',
    pattern:
      /(?<![\w.@/-])[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*\.(?:com|net|org|io|dev|ai|app|cloud|co|cn|jp|kr|de|uk|fr|eu|us|ru|internal|local|lan|intranet|corp|example|test|invalid)(?![\w-]|\.\w)/gi,
  },
  { kind: 'host_port', pattern: /\bports?[ :=]{1,3}\d{2,5}\b|端口号?[ :：=]{0,3}\d{2,5}(?!\d)/gi },
  { kind: 'line', pattern: /\blines?\s{1,3}\d+(?:\s?[-–]\s?\d+)?\b|第\s{0,3}\d+\s{0,3}行/gi },
  // At least one letter and one digit, so that a plain number or an English word of a–f is not taken for a hash; not
  // the digits behind a decimal point, whose exponent looks like a letter of one.
  {
    kind: 'hash',
    pattern: /(?<![\w.])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,128}\b/g,
    unless: (match) => /^\d+e\d+$/.test(match),
  },
  { kind: 'function', pattern: /(?<![\w$])[A-Za-z_$][\w$]*(?:(?:\.|#|::)[\w$]+){0,8}\(\)/g },
  // Called with arguments, or named as one; plain words only where marks make them code.
  {
    kind: 'function',
    pattern: /(?<![\w$.])(?:[A-Za-z_$][\w$]{0,60}\.){0,4}[A-Za-z_$][\w$]{0,60}(?=\()/g,
    unless: isPlainWord,
  },
  {
    kind: 'function',
    pattern: /(?<=\b(?:function|method|def|fn|func)\s{1,3}`?)[A-Za-z_$][\w$]{1,60}(?=`|\()/g,
  },
  { kind: 'function', pattern: /(?<=(?:函数|方法)\s{0,3}`?)[A-Za-z_$][\w$]{1,60}(?![\w$])/g },
  { kind: 'variable', pattern: /(?<=(?:变量|参数|字段)\s{0,3})[A-Za-z_$][\w$]{1,60}(?![\w$])/g },
  {
    kind: 'version',
    pattern: /(?<![\w.])v?\d+\.\d+\.\d+(?:-[\w.]*\w)?(?![\w.]*\d)/g,
    // Dates: 30.11.2026, and 2026.09.03 with its zeros; 2026.9.3 is how some products number their releases.
    unless: (match) =>
      /^(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?:19|20)\d\d$/.test(match) ||
      /^(?:19|20)\d\d\.(?:0[1-9]|1[0-2])\.(?:0[1-9]|[12]\d|3[01])$/.test(match),
  },
  {
    kind: 'id',
    pattern: /(?<![\w-])[A-Z][A-Z0-9]{1,9}(?:-\d{1,8}){1,3}\b/g,
    unless: (match) => /^(?:UTF|SHA|MD|AES|RSA|ISO|IEEE|COVID|IPV|BASE|Q)-/.test(match),
  },
  // Neither money, nor a share, nor a date written without marks.
  {
    kind: 'id',
    pattern:
      /(?<![\w.,\-$€£¥￥%]|[$€£¥￥] )\d{7,20}(?![\w.,]*\d|\s?(?:%|％|[$€£¥￥]|元|円|원|USD|EUR|RMB|CNY|JPY)|\.\d)/g,
    unless: (match) => /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(match),
  },
  { kind: 'variable', pattern: /`[^`\n]{2,80}`/g },
  {
    kind: 'variable',
    pattern: /\b(?:[a-z]+[A-Z][A-Za-z0-9]*|[a-z0-9]+(?:_[a-z0-9]+)+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/g,
    unless: (match) => /^[\d_]+$/.test(match),
  },
];

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
  for (const { kind, pattern, unless } of rules) {
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

/** `file(s)` and other words before a bracket; code has a capital, a figure or a sign within its names. */
function isPlainWord(match: string): boolean {
  return !/[a-z][A-Z]|[_$\d]|\w\.\w/.test(match);
}

/** `and/or`, `24/7`, `2026/11/30`, `km/h`: a slash alone makes no path. */
function isNoPath(match: string): boolean {
  if (/^(?:[~/\\]|[A-Za-z]:|\.{1,2}[/\\])/.test(match)) return /^[/\\]\w?$/.test(match);
  const segments = match.split(/[/\\]/);
  if (segments.every((segment) => /^[\d.,%]*$/.test(segment))) return true;
  if (segments.length > 2) return false;
  const isPlain = segments.every((segment) => /^[A-Za-z]*$/.test(segment));
  return isPlain && (plainPairs.has(match.toLowerCase()) || segments.some((segment) => segment.length < 2));
}

const plainPairs: ReadonlySet<string> = new Set(
  'and/or either/or he/she she/he his/her him/her yes/no true/false on/off input/output read/write client/server start/stop before/after pros/cons ci/cd tcp/ip up/down left/right open/closed win/loss'.split(
    ' ',
  ),
);
