import { calibrate } from './calibrate.ts';
import { countOf } from './count-of.ts';
import type { NamedPage } from './find-names.ts';
import type { Question } from './read-question.ts';
import type { RecallWeights } from './recall-weights.ts';
import type { RowWords, TextWords } from './row-words.ts';
import type { FoundRow, Scored } from './scored-row.ts';
import { stemOf } from './word-forms.ts';
import { segmentWords } from '../memory/indexing/segment-words.ts';
import type { QuestionWorth } from './term-worth.ts';

export interface PageEvidence {
  readonly named: readonly NamedPage[];
  /** Every page that has one of the names in the query, also where several have it. */
  readonly namesakes: ReadonlySet<string>;
  /** Stems of the names in the query. */
  readonly nameStems: ReadonlySet<string>;
  /** Score of pages that links lead to, by URI; 0 to 1. */
  readonly linked: ReadonlyMap<string, number>;
}

/** A sum of parts that stands for certainty: every word, in the text and its abstract alike. */
const certain = 1.05;
/** What a page is worth that is named by an alias, and by its title, however much else the question says. */
const aliasWorth = 0.6;
const titleWorth = 0.65;
/** Pages that hold no more are shown when they are asked for, behind those that do. */
const inactive = 0.5;

/**
 * Pages by their levels together: the level that matches best, drawn to its abstract; then its title, who names it, and
 * which links lead to it. Long pages that repeat a word say less than short ones that are about it.
 */
export function scorePages(
  rows: readonly FoundRow[],
  question: Question,
  worth: QuestionWorth,
  evidence: PageEvidence,
  using: { readonly weights: RecallWeights; readonly words: RowWords },
): Scored[] {
  const pages = Map.groupBy(rows, ({ hit }) => hit.uri);
  const average = averageLength(rows);
  const others = withoutNames(worth, evidence.nameStems);
  return [...pages.values()].flatMap((levels) => {
    const isNamed = levels.some(({ hit }) => evidence.namesakes.has(hit.uri));
    const meant = isNamed ? worth : others;
    const matched = levels.map((row) => ({ row, share: shareOf(row.words, meant, average, using) }));
    // Equal levels: the shorter one says it with less around it.
    matched.sort((one, other) => other.share - one.share || one.row.hit.level - other.row.hit.level);
    const [best] = matched;
    if (!best) return [];
    const title = titleMatch(best.row.hit.title, question, meant);
    const abstract = matched.find(({ row }) => row.hit.level === 0)?.share ?? 0;
    const nearness = Math.max(...levels.map((row) => row.nearness));
    const { weights } = using;
    const text = calibrate(
      {
        lexical: (1 - weights.abstract) * best.share,
        parent: weights.abstract * Math.max(abstract, title.ofQuestion),
        title: weights.title * title.ofQuestion * title.ofTitle,
        vector: weights.vectorPage * nearness,
      },
      certain,
    );
    return [
      {
        hit: best.row.hit,
        text: best.row.text,
        words: best.row.words,
        vector: best.row.vector,
        ...withEvidence(best.row, text, evidence, worth),
      },
    ];
  });
}

/**
 * For pages that are not called so, the words of a name say little: they mention what is asked about. Their worth is kept
 * in the total, so that a page that only mentions it stays below one that says what is asked.
 */
function withoutNames(worth: QuestionWorth, nameStems: ReadonlySet<string>): QuestionWorth {
  if (nameStems.size === 0) return worth;
  const stems = worth.stems.map(({ stem, worth: value }) => ({
    stem,
    worth: nameStems.has(stem) ? value * mentionWorth : value,
  }));
  return { stems, total: worth.total };
}

const mentionWorth = 0.5;

/** Independent grounds together: 1 - (1 - a)(1 - b). Each part is what it adds to those before it. */
function withEvidence(
  { hit }: FoundRow,
  text: { readonly score: number; readonly parts: Record<string, number> },
  evidence: PageEvidence,
  worth: QuestionWorth,
): { readonly score: number; readonly parts: Record<string, number> } {
  let { score } = text;
  const parts = { ...text.parts };
  const add = (part: string, ground: number): void => {
    const added = (1 - score) * Math.min(1, ground);
    if (added <= 0) return;
    parts[part] = (parts[part] ?? 0) + added;
    score += added;
  };
  for (const named of evidence.named) {
    if (named.page.uri !== hit.uri) continue;
    const share = shareOfStems(stemsOf(named.name), worth);
    const base = named.byTitle ? titleWorth : aliasWorth;
    add(named.byTitle ? 'title' : 'alias', named.certainty * (base + (1 - base) * share));
  }
  add('link', evidence.linked.get(hit.uri) ?? 0);
  if (hit.status === 'active') return { score, parts };
  return {
    score: score * inactive,
    parts: Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part * inactive])),
  };
}

/** Share of the question's worth that a text has, words saturated and long texts held back; 0 to 1. */
export function shareOf(
  { stems }: TextWords,
  worth: QuestionWorth,
  average: number,
  { weights, words }: { readonly weights: RecallWeights; readonly words: RowWords },
): number {
  const norm = weights.saturation * (1 - weights.pageLength + (weights.pageLength * stems.length) / average);
  let sum = 0;
  for (const { stem, worth: value } of worth.stems) {
    const count = countOf(stems, words.idOf(stem));
    if (count > 0) sum += value * Math.min(1, (count * (1 + weights.saturation)) / (count + norm));
  }
  return worth.total === 0 ? 0 : sum / worth.total;
}

/** How much of the question the title has, and how much of the title the question has. */
function titleMatch(
  title: string,
  question: Question,
  worth: QuestionWorth,
): { readonly ofQuestion: number; readonly ofTitle: number } {
  const stems = stemsOf(title);
  if (stems.size === 0) return { ofQuestion: 0, ofTitle: 0 };
  const asked = new Set(question.words.map(({ stem }) => stem));
  const shared = [...stems].filter((stem) => asked.has(stem));
  return { ofQuestion: shareOfStems(stems, worth), ofTitle: shared.length / stems.size };
}

function shareOfStems(stems: ReadonlySet<string>, worth: QuestionWorth): number {
  if (worth.total === 0) return 1;
  return worth.stems.reduce((sum, { stem, worth: value }) => (stems.has(stem) ? sum + value : sum), 0) / worth.total;
}

function stemsOf(text: string): ReadonlySet<string> {
  return new Set(
    segmentWords(text.replaceAll('_', ' '))
      .split(' ')
      .filter((word) => word !== '')
      .map(stemOf),
  );
}

function averageLength(rows: readonly FoundRow[]): number {
  return rows.reduce((sum, { words }) => sum + words.stems.length, 0) / Math.max(1, rows.length) || 1;
}
