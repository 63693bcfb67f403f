const fillers = new Set(
  `a an the my our your his her their its some any all every each to of for in on at with without over than when while if
  because since as by from into about that which who whose where so and or but not no very really more most less better
  best rather instead is are was were be been being do does did have has had will would can could should it this these
  those them they he she we i you me us use using used`.split(/\s+/),
);

/** Behind these comes what qualifies the noun, not the noun. */
const breaks =
  /\s+(?:over|than|to|for|in|on|at|with|without|when|while|if|because|since|as|instead|rather|unless|until|from|so|which|that|who|where|whenever|before|after|during|every|by|of)\s+/i;

/**
 * What an English phrase is about: the last content word before what qualifies it. "small functions in tests" →
 * "functions". Empty where there is none.
 */
export function headNoun(phrase: string): string {
  const plain = phrase.replace(/[`"“”'‘’]/g, '');
  const [head = ''] = plain.split(breaks);
  const words = (head.match(/[\p{L}\p{N}][\p{L}\p{N}.+#_-]*/gu) ?? []).filter(
    (word) => !fillers.has(word.toLowerCase()),
  );
  return singular((words.at(-1) ?? '').toLowerCase().replace(/[.]+$/, ''));
}

/** What a Chinese phrase is about: behind the last 的, else its first characters. */
export function headNounChinese(phrase: string): string {
  const plain = phrase.replace(/[“”「」『』"'。！!，,；;：:]/gu, '');
  const bare = plain.replace(
    /^(?:(?:以后|今后|从今以后|从现在起|从现在开始|从今天起|往后|每次.{1,10}?(?=都|要|必须)|所有|请|你|都要?|一律|统一|默认|必须|务必|始终|总是|永远|绝不能?|绝对|千万|禁止|不准|不许|不要再?|别再?|不能|要|直接|使用|采用|决定|选择|用)+)/u,
    '',
  );
  const noun = bare.slice(bare.lastIndexOf('的') + 1) || bare || plain;
  return noun
    .replace(/^(?:用|使用|在|把|去|吃|喝|看|听|写|做|玩|穿|住|买)(?=.{2,})/u, '')
    .trim()
    .replace(/\s*[了吧啊呢]$/u, '')
    .slice(0, 12);
}

function singular(word: string): string {
  if (/(?:ss|us|is)$/.test(word) || word.length < 4) return word;
  if (/ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  return /(?:ches|shes|xes|sses)$/.test(word) ? word.slice(0, -2) : word.replace(/s$/, '');
}
