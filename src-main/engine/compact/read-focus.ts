import type { IdentifierKind } from './identifier-kinds.ts';

/** What the user asked a compaction to look out for. */
export interface Focus {
  /** Sentences with one of these words come first; lower case. */
  readonly words: readonly string[];
  readonly kinds: ReadonlySet<IdentifierKind>;
}

const kindWords: readonly (readonly [RegExp, readonly IdentifierKind[]])[] = [
  [/\b(?:ids?|identifiers?)\b|标识|编号|工单|订单号/i, ['id', 'uuid', 'issue', 'session_key', 'hash']],
  [/\b(?:files?|paths?)\b|路径|文件/i, ['path', 'line']],
  [/\b(?:urls?|links?)\b|链接|网址/i, ['url']],
  [/\b(?:hash(?:es)?|commits?|sha)\b|哈希|提交/i, ['hash']],
  [/\b(?:ports?|hosts?|ips?)\b|端口|主机/i, ['host_port']],
  [/\b(?:functions?|methods?|variables?|names?)\b|函数|变量/i, ['function', 'variable']],
  [/\bversions?\b|版本/i, ['version']],
  [/\bissues?\b/i, ['issue']],
];

/** Words of the request itself, which say nothing of its subject. */
const askingWords: ReadonlySet<string> = new Set(
  'a all also an and any anything about are be but compact details everything exact exactly focus for from give i important include information into is it keep make mention my not note of on only or our parts please preserve remember retain save stay sure summarise summarize summary that the their them these they things this those to us we what which with you your'.split(
    ' ',
  ),
);
const askingHan: ReadonlySet<string> = new Set(
  '请把 保留 所有 记住 重点 关注 不要 一定 压缩 总结 摘要 关于 内容 信息'.split(' '),
);

/** Reads a request such as `/compact keep the ids of the billing jobs`. */
export function readFocus(text: string): Focus {
  const request = text.replace(/^\s*\/compact\b/i, '').toLowerCase();
  const kinds = kindWords.flatMap(([pattern, named]) => (pattern.test(request) ? named : []));
  const latin = request.match(/[\p{Script=Latin}\p{N}_./:#-]{2,}/gu) ?? [];
  const words = latin.map((word) => word.replace(/^[./:#-]+/, '').replace(/[./:#-]{1,20}$/, ''));
  return {
    words: [...new Set([...words.filter((word) => word.length > 1 && !askingWords.has(word)), ...hanPairs(request)])],
    kinds: new Set(kinds),
  };
}

/** Chinese has no spaces between words; two characters beside each other mostly are one. */
function hanPairs(text: string): string[] {
  const runs = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2,}/gu) ?? [];
  const pairs = runs.flatMap((run) => {
    const characters = Array.from(run);
    return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
  });
  return pairs.filter((pair) => !askingHan.has(pair));
}
