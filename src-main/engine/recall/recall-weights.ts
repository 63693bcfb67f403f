/**
 * Weights of ranking. Those of turns were tuned on two conversations of LoCoMo and are reported for the others as well
 * (docs/benchmarks.md has the ablations); those of pages follow spec §7 and §10. A weight that is 0 leaves its part out.
 */
export interface RecallWeights {
  /** BM25 of rows: how fast a word that is repeated counts less, and how much long rows are held back (0 to 1). */
  readonly saturation: number;
  readonly turnLength: number;
  readonly pageLength: number;
  /** What a word of a turn counts in the one and the two turns after it, and before it. */
  readonly after: readonly [number, number];
  readonly before: readonly [number, number];
  /** A question hands its words on to the answer behind it. */
  readonly askedAfter: number;
  /** Share of the level above: the session of a turn, the abstract of a page (final = α·child + (1-α)·parent). */
  readonly session: number;
  readonly abstract: number;
  /** Cosine above that of the farthest one found. Added to the score; ranks fused as equals made every figure worse. */
  readonly vector: number;
  /** Cosine of the turns around, and of the best three of the session, above the average of those found. */
  readonly vectorAround: number;
  readonly vectorSession: number;
  /** Of pages and summaries. */
  readonly vectorPage: number;
  /** Words that go with those of the question in what was found, where these are missing. */
  readonly related: number;
  /** Words of a question that stand in the date of a turn. */
  readonly date: number;
  /** Factor of turns by the one who is named. */
  readonly speaker: number;
  /** Questions hold fewer facts than statements; statements about oneself hold more. */
  readonly question: number;
  readonly firstPerson: number;
  /** Words next to each other, as in the question. */
  readonly pair: number;
  /** A turn with a time in it, where a time is asked for; a turn with a number, where a number is. */
  readonly time: number;
  readonly number: number;
  /** A row from the time that is asked about. */
  readonly span: number;
  readonly title: number;
  /** The most that use and recency may add: less than what one matched word is worth. */
  readonly hotness: number;
}

export const recallWeights: RecallWeights = {
  saturation: 0.8,
  turnLength: 0.2,
  pageLength: 0.5,
  after: [0.6, 0.45],
  before: [0.2, 0.15],
  askedAfter: 1.8,
  session: 0.1,
  abstract: 0.25,
  vector: 0.3,
  vectorAround: 0.2,
  vectorSession: 0.4,
  vectorPage: 0.3,
  related: 0.25,
  date: 0.3,
  speaker: 1.2,
  question: 0.35,
  firstPerson: 0.12,
  pair: 0.2,
  time: 0.1,
  number: 0.05,
  span: 0.15,
  title: 0.25,
  hotness: 0.02,
};
