import { stemmer } from 'stemmer';

/**
 * Forms of a word that rules do not find: verbs and nouns that English bends in its own way. Each line is one word; all
 * of them count as the same when a question is compared with a text.
 */
const irregular =
  `buy bought|go went gone going|take took taken|see saw seen|make made|give gave given|get got gotten|do did done
find found|write wrote written|run ran|swim swam swum|eat ate eaten|drink drank drunk|drive drove driven|ride rode ridden|fly flew flown
speak spoke spoken|teach taught|think thought|tell told|say said|feel felt|meet met|win won|lose lost|leave left|begin began begun
become became|grow grew grown|know knew known|choose chose chosen|break broke broken|fall fell fallen|bring brought|build built
send sent|spend spent|sell sold|hold held|keep kept|sing sang sung|draw drew drawn|wear wore worn|catch caught|fight fought
forget forgot forgotten|hear heard|lead led|pay paid|sleep slept|stand stood|sit sat|throw threw thrown|understand understood
wake woke woken|come came|child children|man men|woman women|foot feet|tooth teeth|mouse mice|wife wives|leaf leaves|freeze froze frozen
hide hid hidden|shake shook shaken|steal stole stolen|seek sought|bind bound|stick stuck|strike struck|wind wound|rise rose risen`
    .split(/[|\n]/)
    .map((line) => line.split(' '));

const groups = new Map<string, readonly string[]>();
for (const forms of irregular) for (const form of forms) groups.set(form, forms);

/** All forms of a word that bends irregularly, itself first; a word that does not is alone. */
export function formsOf(word: string): readonly string[] {
  const forms = groups.get(word);
  return forms ? [word, ...forms.filter((form) => form !== word)] : [word];
}

const cached = 50_000;
const stems = new Map<string, string>();

/**
 * The form in which words are compared: Porter's stem (https://tartarus.org/martin/PorterStemmer/), as the full-text index
 * has it, and one form for those that bend irregularly.
 */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const [first = word] = groups.get(word) ?? [word];
  const stem = /^[a-z]+$/.test(first) ? stemmer(first) : first;
  if (stems.size >= cached) stems.clear();
  stems.set(word, stem);
  return stem;
}
