import type { PageSort } from '../../memory/links/page-sort.ts';
import { sortOfWord } from '../../memory/links/page-sort.ts';
import type { Word } from '../../memory/links/words.ts';

/** How many words after `which` or `what` the noun may stand (`which of the early companies`). */
const reachOfNoun = 4;

export interface Wanted {
  /** What sorts of page are asked for; empty: any. */
  readonly sorts: readonly PageSort[];
  /** The word that says it, where it is a noun (`which companies`): it names no relation. */
  readonly noun: number | undefined;
}

/** What is asked for. Chinese is read by its characters. */
export function readWanted(words: readonly Word[]): Wanted {
  const text = words.map(({ word }) => word);
  for (const [at, word] of text.entries()) {
    if (persons.has(word)) return { sorts: ['person'], noun: undefined };
    const two = `${word}${text[at + 1] ?? ''}`;
    if (word === 'where' || two === '哪里' || two === '哪儿')
      return { sorts: ['organisation', 'place'], noun: undefined };
    const noun = choices.has(word) ? nounAfter(text, at + 1) : undefined;
    if (noun) return { sorts: [noun.sort], noun: noun.at };
  }
  return { sorts: [], noun: undefined };
}

/** Who or which: right before a verb it is the verb's subject. */
export function asksForSubject(words: readonly Word[], phrase: number): boolean {
  return (
    persons.has(words[phrase - 1]?.word ?? '') ||
    (auxiliaries.has(words[phrase - 1]?.word ?? '') && persons.has(words[phrase - 2]?.word ?? ''))
  );
}

export function asksForConnection(words: readonly Word[]): boolean {
  const text = words.map(({ word }) => word).join(' ');
  return connections.some((connection) => ` ${text} `.includes(` ${connection} `));
}

/** Alone, such a word is no name of a page unless it is written with a capital inside the sentence. */
export function isQuestionWord({ word, capital }: Word): boolean {
  return common.has(word) || (!capital && sortOfWord(word) !== undefined) || /^\p{Script=Han}$/u.test(word);
}

function nounAfter(text: readonly string[], from: number): { sort: PageSort; at: number } | undefined {
  for (let at = from; at < Math.min(text.length, from + reachOfNoun); at += 1) {
    const sort = sortOfWord(text[at] ?? '') ?? sortOfWord(`${text[at] ?? ''}${text[at + 1] ?? ''}`);
    if (sort) return { sort, at };
  }
  return undefined;
}

const persons: ReadonlySet<string> = new Set('who whom whose whoever 谁'.split(' '));
const choices: ReadonlySet<string> = new Set('which what list show name find any all every 哪 些 么 几'.split(' '));
const auxiliaries: ReadonlySet<string> = new Set(
  'is are was were has have had did does do also else currently 都 也 曾 还'.split(' '),
);
const connections: readonly string[] = [
  ...[
    'connects',
    'connect',
    'connected',
    'connection',
    'links',
    'linked',
    'relate',
    'related',
    'relation',
    'relationship',
    'in common',
    'have to do',
  ],
  ...['关 系', '联 系', '关 联', '共 同 点'],
];
const common: ReadonlySet<string> = new Set(
  (
    'a an the this that these those who whom whose which what where when why how is are was were be been has have had do does did will would can could may might shall should ' +
    "i me my mine you your he she it they we us our their his her its them him to of in on at by for from with about as and or but not no if then than so too also 's " +
    'list show name find tell give any all some every each most more other else there here know work works company companies people person'
  ).split(' '),
);
