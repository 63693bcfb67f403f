export interface MaskedText {
  /** The text with `[secret]` in the place of each secret. */
  readonly text: string;
  /** What sort of secrets they were, each once. */
  readonly found: readonly string[];
}

const mask = '[secret]';

/** Anything longer than this is looked at in its first part only; candidates are sentences (characters). */
const longestText = 100_000;

/**
 * Forms that the issuers of keys document themselves, and the words people put before a secret. The first letter may be a
 * capital: a sentence that was made of one begins with it.
 */
const patterns: readonly (readonly [name: string, pattern: RegExp])[] = [
  [
    'private key',
    /(?:-----)?\bBEGIN [A-Z ]{0,30}PRIVATE KEY-----[^]{0,20000}?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
  ],
  ['API key', /\b(?:[Ss]k|[Pp]k|[Rr]k)[-_](?:live|test|proj|ant|or|svcacct)?[-_A-Za-z0-9]{16,}\b/g],
  [
    'token',
    /\b(?:[Gg]h[pousr]_[A-Za-z0-9]{20,}|[Gg]ithub_pat_\w{20,}|[Gg]lpat-[\w-]{16,}|[Xx]ox[abprs]-[\w-]{10,}|[Nn]pm_[A-Za-z0-9]{20,}|[Hh]f_[A-Za-z0-9]{20,}|[Yy]a29\.[\w-]{20,}|[Dd]op_v1_[a-f0-9]{32,}|[Pp]ypi-[\w-]{30,}|SG\.[\w-]{16,}\.[\w-]{16,}|\d{8,10}:AA[\w-]{30,})/g,
  ],
  ['access key', /\b(?:AKIA|ASIA|AGPA|AIDA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,}/g],
  ['token', /\b[Ee]yJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{0,2000}/g],
  ['password in an address', /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{0,100}:)[^\s@/]{1,200}(?=@)/gi],
  ['token', /(?<=\b(?:bearer|authorization:(?: basic)?) )[\w.~+/=-]{12,}/gi],
  [
    'password',
    /(?<=\b(?:pass(?:word|phrase|code|wd)?s?|pwd|pin(?: (?:code|number))?|api[ _-]?keys?|access[ _-]?(?:key|token)s?|secret(?:[ _-]?key)?s?|auth[ _-]?tokens?|tokens?|private[ _-]?key|seed phrase|recovery (?:phrase|code)|cvv|cvc|client[ _-]?secret)(?:\s(?:for|of|to)\s[^\n.,;:=]{1,60}?)?\s?(?:\bis\b|\bare\b|=|:|：|->)\s?["'`“]?)(?!(?:not?|in|on|stored|kept|the|a|an|set|required|needed|wrong|expired|missing|managed|rotated|changed|too|only|never|always|at|by|valid|invalid|under|from|available|generated|your|my|our|called|named|per|counted|tokens|limited|one|two|long|short|case|optional|saved|written|correct)\b)[^\s"'`”,，。;]{3,200}/gi,
  ],
  [
    'password',
    /(?<=(?:密码|口令|密钥|令牌|验证码|助记词|私钥|API ?key)(?:[^\n。，,]{0,20}?)(?:是|为|：|:|=)\s?["'“「]?)(?!不|在|没|存|放|的|已|要|需)[\x21-\x7e]{3,200}/giu,
  ],
];

/** Puts a mark in the place of everything in a text that opens something. */
export function maskSecrets(given: string): MaskedText {
  const found = new Set<string>();
  let text = given.slice(0, longestText);
  for (const [name, pattern] of patterns) {
    text = text.replace(pattern, (secret) => {
      if (secret.startsWith(mask)) return secret;
      found.add(name);
      return mask;
    });
  }
  text = text.replace(/(?<![\d.-])\d(?:[ -]?\d){12,18}(?![\d-]|\.\d)/g, (digits) => {
    if (!isCardNumber(digits)) return digits;
    found.add('card number');
    return mask;
  });
  text = text.replace(/[A-Za-z0-9+/_=-]{24,200}/g, (word) => {
    if (!isRandom(word)) return word;
    found.add('random key');
    return mask;
  });
  return { text: text + (given.length > longestText ? '…' : ''), found: [...found] };
}

/** By the check digit of ISO/IEC 7812 (Luhn), and a first digit that cards have. */
function isCardNumber(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  if (!/^[3-6]/.test(digits) || /^(\d)\1+$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - index));
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/**
 * Letters of both cases and digits without order, as keys have them: at least 3.6 bits a character by Shannon's
 * formula, and no words. Hashes in hexadecimal are no keys: they name things.
 */
function isRandom(word: string): boolean {
  if (!/\d/.test(word) || !/[a-z]/.test(word) || !/[A-Z]/.test(word) || /^[0-9a-f-]+$/i.test(word)) return false;
  // Words joined by capitals, dashes or slashes: a path, a name in code.
  const longestRun = Math.max(...(word.match(/[a-z]+|[A-Z]+|\d+/g) ?? ['']).map(({ length }) => length));
  return longestRun < 6 && entropyOf(word) >= 3.6;
}

function entropyOf(word: string): number {
  const counts = new Map<string, number>();
  for (const character of word) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / word.length) * Math.log2(count / word.length);
  return bits;
}
