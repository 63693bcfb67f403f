/** Between subject and verb; the verb behind them still agrees with the subject. */
const adverbs = new Set(
  'no longer always never usually generally normally typically mostly really also just only still often sometimes rarely strongly absolutely definitely actually currently now personally especially much totally truly mainly primarily basically almost'.split(
    ' ',
  ),
);

const irregular: Readonly<Record<string, string>> = {
  am: 'is',
  "'m": 'is',
  have: 'has',
  "'ve": 'has',
  do: 'does',
  "don't": "doesn't",
  "haven't": "hasn't",
  go: 'goes',
  are: 'is',
  "'re": 'is',
  "'ll": 'will',
  "'d": 'would',
};

/** Modals, and the past of what does not end in -ed: they are the same for everybody. */
const unchanged = new Set(
  `will would can could should may might must was were had did shall cannot can't won't wouldn't couldn't shouldn't wasn't
  weren't didn't hadn't went got made said took came saw knew thought found gave told became left felt began kept held
  wrote stood heard met ran paid sat spoke lay led grew lost fell sent built understood drew broke spent cut rose drove
  bought wore chose moved ate drank slept won sold taught caught flew forgot`.split(/\s+/),
);

/**
 * A first-person clause as others tell it of the user: "I prefer my tea hot" → "The user prefers their tea hot". What
 * stands between backticks or quotation marks stays. "We" stays too: it is more than the user.
 */
export function toThirdPerson(clause: string): string {
  const pieces = clause.split(/(`[^`]*`|"[^"]*"|“[^”]*”)/);
  return capitalise(pieces.map((piece, index) => (index % 2 === 1 ? piece : convert(piece))).join(''));
}

/** The same for Chinese: 我 → 用户, 我们 stays. */
export function toThirdPersonChinese(clause: string): string {
  return clause
    .replace(/(?:我|俺|本人)(?![们國国])/gu, '用户')
    .replace(/用户自己的/gu, '自己的')
    .replace(/你(?!们|好)/gu, '助手');
}

function convert(text: string): string {
  const words = text.split(/(\s+)/);
  let agrees = false;
  let isNamed = false;
  const told = words.map((word) => {
    if (word.trim() === '') return word;
    const [, open = '', core = '', tail = ''] = /^([("[]*)(.*?)([)\]",.;:!?]*)$/s.exec(word) ?? [];
    const subject = /^I('m|'ve|'ll|'d)?$/.exec(core.replace(/’/g, "'"));
    if (subject) {
      agrees = subject[1] === undefined && tail === '';
      isNamed = true;
      const verb = subject[1] === undefined ? '' : ` ${irregular[subject[1]] ?? ''}`;
      return `${open}the user${verb}${tail}`;
    }
    const lower = core.toLowerCase().replace(/’/g, "'");
    if (agrees && lower !== '') {
      if (adverbs.has(lower)) return word;
      agrees = false;
      return `${open}${thirdPersonOf(core, lower)}${tail}`;
    }
    return `${open}${(isNamed ? again : pronouns)[lower] ?? core}${tail}`;
  });
  return told.join('');
}

const pronouns: Readonly<Record<string, string>> = {
  my: "the user's",
  me: 'the user',
  mine: "the user's",
  myself: 'themselves',
  you: 'the agent',
  your: "the agent's",
};

/** Once it is clear whom they stand for. */
const again: Readonly<Record<string, string>> = { ...pronouns, my: 'their', me: 'them', mine: 'theirs' };

function thirdPersonOf(verb: string, lower: string): string {
  const known = irregular[lower];
  if (known !== undefined) return known;
  if (
    unchanged.has(lower) ||
    (lower.endsWith('ed') && !/^(?:need|feed|speed|heed|weed|seed|bleed|breed|exceed|proceed|succeed)$/.test(lower))
  )
    return verb;
  if (/(?:s|x|z|ch|sh|o)$/.test(lower)) return `${verb}es`;
  if (/[^aeiou]y$/.test(lower)) return `${verb.slice(0, -1)}ies`;
  return /^[a-z'-]+$/.test(lower) ? `${verb}s` : verb;
}

function capitalise(text: string): string {
  return text.replace(/^(\s*)(\p{Ll})/u, (_, space: string, letter: string) => space + letter.toUpperCase());
}
