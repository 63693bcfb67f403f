/** What in somebody's words made a candidate of them. */
export type CandidateSignal =
  'request' | 'forget' | 'preference' | 'identity' | 'decision' | 'rule' | 'correction' | 'event' | 'entity';

export type CandidateLanguage = 'en' | 'zh';

/** Something that could be remembered, before anything was decided about it. */
export interface Candidate {
  readonly signal: CandidateSignal;
  /** Name of a kind of pages. */
  readonly kind: string;
  /** One sentence that can be understood by itself. */
  readonly text: string;
  /** What it is about; statements with the same key belong to the same page. */
  readonly topic: string;
  /** Of the page, where a new one is made. */
  readonly title: string;
  /** Other names of the page. */
  readonly aliases: readonly string[];
  /** Only one statement of the topic can hold at a time: a name, a place, a choice among things that exclude each other. */
  readonly exclusive: boolean;
  /** Words of what holds no longer because of it ("not Y", "no longer Y"). */
  readonly denies: readonly string[];
  /** It says that something is no more, and nothing in its place. */
  readonly retires: boolean;
  /** The user asked for it in so many words, or the caller of a tool did. */
  readonly explicit: boolean;
  /** URIs of the turns it was found in. */
  readonly sources: readonly string[];
  /** `YYYY-MM-DD` of the turn. */
  readonly date: string;
  readonly language: CandidateLanguage;
  /** The rule that found it, for people who wonder why; `model` where a model did. */
  readonly rule: string;
}
