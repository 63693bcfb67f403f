import { isNoPath } from './is-no-path.ts';
import type { IdentifierKind } from './identifier-kinds.ts';

export interface IdentifierRule {
  readonly kind: IdentifierKind;
  /** A cheap look at whether the pattern can match anywhere; most rules have nothing to do in most texts. */
  readonly needs: RegExp;
  readonly pattern: RegExp;
  /** What the pattern matches and no identifier is. */
  readonly unless?: (match: string) => boolean;
}

const modelFamily =
  /gpt|chatgpt|\bo[1-9]|claude|gemini|gemma|meta-llama|llama|codellama|qwen|qwq|deepseek|mistral|mixtral|codestral|devstral|ministral|phi|grok|kimi|glm|granite|command-[ra]|minimax|text-embedding|nomic-embed|bge|mxbai/i;

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
export const identifierRules: readonly IdentifierRule[] = [
  {
    kind: 'url',
    needs: /:\/\//,
    pattern:
      /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>"'`\u3000-\u303f\uff00-\uffef]*[^\s<>"'`.,;:!?)\]}\u3000-\u303f\uff00-\uffef]/gi,
  },
  { kind: 'issue', needs: /#\d/, pattern: /(?<![\w./#-])(?:[\w.-]{1,100}\/[\w.-]{1,100})?#\d{1,7}\b/g },
  {
    kind: 'issue',
    needs: /(?:issues?|PR|request)\s{1,3}\d/i,
    pattern: /\b(?:issues?|PR|pull request|merge request)\s{1,3}\d{1,7}\b(?![.,]\d)/gi,
  },
  { kind: 'session_key', needs: /agent:/, pattern: /(?<![\w:-])agent:[\w.-]{1,100}(?::[\w.-]{0,99}\w){1,8}/g },
  {
    kind: 'uuid',
    needs: /[0-9a-f]-[0-9a-f]{4}-/i,
    pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  },
  { kind: 'model', needs: modelFamily, pattern: modelName, unless: (match) => !isModel(match) },
  // Folders and files are named in any script. Text goes on right behind a Chinese name, so only an ending tells where
  // the name ends.
  {
    kind: 'path',
    needs: /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u,
    pattern:
      /(?<![\w@/\\.+-])(?:~|[A-Za-z]:|[\w@.+-]+)?(?:[/\\][\w@.+\-\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]{1,80}){1,20}\.[A-Za-z][A-Za-z0-9]{0,7}(?::\d+(?:[:-]\d+)?)?(?![\w/\\])/gu,
    unless: isNoPath,
  },
  {
    kind: 'path',
    needs: /[/\\]/,
    pattern: /(?<![\w@/\\.+-])(?:~|[A-Za-z]:|[\w@.+-]+)?(?:[/\\][\w@.+-]*[\w@+-])+[/\\]?(?::\d+(?:[:-]\d+)?)?/g,
    unless: isNoPath,
  },
  {
    kind: 'path',
    needs: /\w\.[a-z]/,
    pattern:
      /(?<![\w@/.-])[\w@-]+(?:\.[\w-]+)*\.(?:tsx?|jsx?|mjs|cjs|json|ya?ml|toml|md|py|rs|go|java|c|h|cpp|hpp|cs|rb|php|sh|sql|html|css|txt|log|csv|xml|ini|cfg|conf|lock|env)(?::\d+(?:[:-]\d+)?)?\b/g,
  },
  {
    kind: 'host_port',
    needs: /:\d\d/,
    pattern: /(?<![\w.-])(?:\d{1,3}(?:\.\d{1,3}){3}|localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)+):\d{2,5}\b/gi,
    unless: (match) => !/[a-z]/i.test(match) && !/^\d+(?:\.\d+){3}:/.test(match),
  },
  { kind: 'host_port', needs: /\d\.\d{1,3}\.\d/, pattern: /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\d)/g },
  // IPv6 in brackets, and bare where two colons or a letter tell it from a time of day.
  {
    kind: 'host_port',
    needs: /\[[0-9a-f]{0,4}:/i,
    pattern: /\[[0-9a-f:]{2,39}\](?::\d{2,5})?/gi,
    unless: (match) => !match.includes('::'),
  },
  {
    kind: 'host_port',
    needs: /:[0-9a-f]{0,4}:/i,
    pattern:
      /(?<![\w:.])(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){7}|(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,5})?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,5})?)(?![\w:])/gi,
    unless: (match) => !/[0-9]/.test(match),
  },
  {
    kind: 'host',
    needs: /\w\.[a-z]{2}/i,
    pattern:
      /(?<![\w.@/-])[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*\.(?:com|net|org|io|dev|ai|app|cloud|co|cn|jp|kr|de|uk|fr|eu|us|ru|internal|local|lan|intranet|corp|example|test|invalid)(?![\w-]|\.\w)/gi,
  },
  { kind: 'host_port', needs: /port|端口/i, pattern: /\bports?[ :=]{1,3}\d{2,5}\b|端口号?[ :：=]{0,3}\d{2,5}(?!\d)/gi },
  { kind: 'line', needs: /line|行/i, pattern: /\blines?\s{1,3}\d+(?:\s?[-–]\s?\d+)?\b|第\s{0,3}\d+\s{0,3}行/gi },
  // At least one letter and one digit, so that a plain number or an English word of a–f is not taken for a hash; not
  // the digits behind a decimal point, whose exponent looks like a letter of one.
  {
    kind: 'hash',
    needs: /[0-9a-f]{7}/,
    pattern: /(?<![\w.])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,128}\b/g,
    unless: (match) => /^\d+e\d+$/.test(match),
  },
  { kind: 'function', needs: /\(\)/, pattern: /(?<![\w$])[A-Za-z_$][\w$]*(?:(?:\.|#|::)[\w$]+){0,8}\(\)/g },
  // Called with arguments, or named as one; plain words only where marks make them code.
  {
    kind: 'function',
    needs: /\w\(/,
    pattern: /(?<![\w$.])(?:[A-Za-z_$][\w$]{0,60}\.){0,4}[A-Za-z_$][\w$]{0,60}(?=\()/g,
    unless: isPlainWord,
  },
  {
    kind: 'function',
    needs: /(?:function|method|def|fn|func)\s/,
    pattern: /(?<=\b(?:function|method|def|fn|func)\s{1,3}`?)[A-Za-z_$][\w$]{1,60}(?=`|\()/g,
  },
  { kind: 'function', needs: /函数|方法/, pattern: /(?<=(?:函数|方法)\s{0,3}`?)[A-Za-z_$][\w$]{1,60}(?![\w$])/g },
  {
    kind: 'variable',
    needs: /变量|参数|字段/,
    pattern: /(?<=(?:变量|参数|字段)\s{0,3})[A-Za-z_$][\w$]{1,60}(?![\w$])/g,
  },
  {
    kind: 'version',
    needs: /\d\.\d+\.\d/,
    // A group that is looked ahead to and then repeated gives nothing back: the end is looked for once.
    pattern: /(?<![\w.])v?\d+\.\d+\.(?=(\d+))\1(?:-(?=([\w.]*\w))\2)?(?![\w.]*\d)/g,
    // Dates: 30.11.2026, and 2026.09.03 with its zeros; 2026.9.3 is how some products number their releases.
    unless: (match) =>
      /^(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?:19|20)\d\d$/.test(match) ||
      /^(?:19|20)\d\d\.(?:0[1-9]|1[0-2])\.(?:0[1-9]|[12]\d|3[01])$/.test(match),
  },
  {
    kind: 'id',
    needs: /[A-Z0-9]-\d/,
    pattern: /(?<![\w-])[A-Z][A-Z0-9]{1,9}(?:-\d{1,8}){1,3}\b/g,
    unless: (match) => /^(?:UTF|SHA|MD|AES|RSA|ISO|IEEE|COVID|IPV|BASE|Q)-/.test(match),
  },
  // Neither money, nor a share, nor a date written without marks.
  {
    kind: 'id',
    needs: /\d{7}/,
    pattern:
      /(?<![\w.,\-$€£¥￥%]|[$€£¥￥] )\d{7,20}(?![\w.,]*\d|\s?(?:%|％|[$€£¥￥]|元|円|원|USD|EUR|RMB|CNY|JPY)|\.\d)/g,
    unless: (match) => /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(match),
  },
  { kind: 'variable', needs: /`/, pattern: /`[^`\n]{2,80}`/g },
  {
    kind: 'variable',
    needs: /[a-z][A-Z]|_/,
    pattern: /\b(?:[a-z]+[A-Z][A-Za-z0-9]*|[a-z0-9]+(?:_[a-z0-9]+)+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/g,
    unless: (match) => /^[\d_]+$/.test(match),
  },
];

/** `file(s)` and other words before a bracket; code has a capital, a figure or a sign within its names. */
function isPlainWord(match: string): boolean {
  return !/[a-z][A-Z]|[_$\d]|\w\.\w/.test(match);
}
