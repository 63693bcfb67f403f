import { stripInjected } from '../../../messages/strip-injected.ts';

/** One sentence of somebody's own words. */
export interface OwnSentence {
  readonly text: string;
  /** The same with everything in quotation marks or backticks blanked out, letter by letter. */
  readonly masked: string;
  /** Counts pieces of the text that blank lines separate. */
  readonly paragraph: number;
  /** It is an item of a list. */
  readonly listed: boolean;
}

/** Nothing that is worth remembering takes more (characters); what does is pasted. */
export const longestSentence = 600;
/** Beyond these a message is taken for a document with some words of the user's before and behind it. */
const longestMessage = 4_000;
const mostSentences = 30;

/**
 * What of a message the user wrote, sentence by sentence: without code, quoted lines, tables, transcripts of others,
 * blocks that engines put in, and the inside of pasted documents. Takes time that grows with the length of the text.
 */
export function ownWords(message: string): OwnSentence[] {
  const text = withoutCode(stripInjected(message).text);
  const sentences: OwnSentence[] = [];
  let paragraph = 0;
  for (const line of text.split(/\r\n?|\n/)) {
    if (line.trim() === '') {
      paragraph += 1;
      continue;
    }
    if (!isOwnLine(line)) continue;
    const item = /^\s{0,3}(?:[-*•]|\d{1,2}[.)])\s+/.exec(line);
    const content = item ? line.slice(item[0].length) : line;
    for (const sentence of splitLine(content)) {
      sentences.push({ text: sentence, masked: maskQuoted(sentence), paragraph, listed: item !== null });
    }
  }
  return withoutDocument(sentences, text.length);
}

/** Who pastes says what it is about before or after it. */
function withoutDocument(sentences: OwnSentence[], length: number): OwnSentence[] {
  const last = sentences.at(-1)?.paragraph ?? 0;
  const first = sentences[0]?.paragraph ?? 0;
  const isDocument = length > longestMessage || sentences.length > mostSentences;
  const kept = isDocument ? sentences.filter(({ paragraph }) => paragraph === first || paragraph === last) : sentences;
  // A paragraph of its own that is as long as a page is no remark on a document either.
  return kept.length > mostSentences ? [] : kept.filter(({ text }) => text.length <= longestSentence);
}

function withoutCode(text: string): string {
  const kept: string[] = [];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && mark !== undefined) {
      // "```x```" on one line opens nothing.
      if (line.indexOf(mark, line.indexOf(mark) + mark.length) === -1) fence = mark;
      kept.push('');
    } else if (fence !== undefined) {
      if (mark !== undefined && mark[0] === fence[0] && mark.length >= fence.length) fence = undefined;
      kept.push('');
    } else kept.push(line);
  }
  return kept.join('\n');
}

const labels =
  /^(?:decision|decided|note|remember|important|rule|preference|fact|reminder|fyi|btw|by the way|correction|p\.?s\.?|also|please remember)$/i;

function isOwnLine(line: string): boolean {
  // Quoted, indented code, a table, a diff, a heading, a row of a log, what a program printed.
  if (/^(?:\s*[>|]|\t| {4,}(?![-*•\d])|[+-]{1,3}\S|@@ |#{1,6} |\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:|\$ |<\/?\w)/.test(line))
    return false;
  // "Alice: I prefer tea" is said by Alice.
  const speaker = /^\s{0,3}(?:[-*•]\s+)?\[?([\p{Lu}\p{Lo}][\p{L}\p{N}_. ]{0,29})\]?\s?[:：]\s*\S/u.exec(
    line.slice(0, 60),
  )?.[1];
  if (speaker === undefined || labels.test(speaker.trim())) return true;
  return !isSpeaker(speaker.trim());
}

/** One or two words, each with a capital, or a Chinese name; or a role. */
function isSpeaker(name: string): boolean {
  if (
    /^(?:user|assistant|system|human|ai|bot|agent|from|to|subject|date|cc|sent|re|fw|用户|助手|系统|发件人|收件人|主题)$/i.test(
      name,
    )
  )
    return true;
  if (/记|注意|决定|规则|备注|另外|提醒|更正|偏好|以后|要求|结论|我|请/.test(name)) return false;
  if (/^\p{Script=Han}{2,4}$/u.test(name)) return true;
  const words = name.split(' ');
  return words.length <= 2 && words.every((word) => /^\p{Lu}\p{Ll}+\.?$/u.test(word));
}

const abbreviation = /(?:^|\s)(?:e\.g|i\.e|Mr|Mrs|Ms|Dr|St|vs|etc|approx|No|Inc|Ltd|\p{Lu})\.$/u;

function splitLine(line: string): string[] {
  const parts = line.split(/(?<=[.!?…])\s+(?=\S)|(?<=[。！？；])(?=[^”」』"'）)])/u);
  const sentences: string[] = [];
  for (const part of parts) {
    const before = sentences.at(-1);
    if (before !== undefined && before.length < longestSentence && abbreviation.test(before.slice(-12))) {
      sentences[sentences.length - 1] = `${before} ${part}`;
    } else sentences.push(part);
  }
  return sentences
    .map((sentence) => sentence.replace(/\s+/gu, ' ').trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

const closers: Readonly<Record<string, string>> = {
  '"': '"',
  '“': '”',
  '「': '」',
  '『': '』',
  '«': '»',
  '‘': '’',
  '《': '》',
  '`': '`',
};

/** An apostrophe is none: only marks that open and close something. */
function maskQuoted(sentence: string): string {
  if (sentence.length > longestSentence) return '';
  let masked = '';
  for (let at = 0; at < sentence.length; at += 1) {
    const closer = closers[sentence.charAt(at)];
    const end = closer === undefined ? -1 : sentence.indexOf(closer, at + 1);
    if (end === -1) masked += sentence.charAt(at);
    else {
      masked += '\u0001'.repeat(end - at + 1);
      at = end;
    }
  }
  return masked;
}
