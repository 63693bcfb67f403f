import { readFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import { z } from 'zod';
import type { RecallCandidate } from '../src-shared/model/recall.ts';
import { pageUri } from '../src-shared/model/uri.ts';
import { startMemoryDaemon, type MemoryDaemon } from './memory-daemon.ts';

const names = z.array(z.string());
const beliefSchema = z
  .object({
    _id: z.string(),
    user_id: z.string(),
    type: z.string(),
    relation_type: z.string().optional(),
    canonical_name: z.string(),
    aliases: names,
    participants: names.optional(),
    content: z.string(),
    scope: names,
    epistemic_status: z.string(),
    pinned: z.boolean(),
    resolved_at: z.string().nullable(),
    superseded_by: z.string().nullable(),
  })
  .loose();
type Belief = z.infer<typeof beliefSchema>;

const sectionSchema = z
  .object({ mustInclude: names.optional(), mustExclude: names.optional(), shouldOnlyInclude: names.optional() })
  .loose();
const expectationSchema = z
  .object({
    personaPrelude: z
      .object({
        nonEmpty: z.boolean().optional(),
        isNull: z.boolean().optional(),
        contains: names.optional(),
        mustNotContain: names.optional(),
      })
      .strict()
      .optional(),
    pinnedFacts: sectionSchema.optional(),
    relevantBeliefs: sectionSchema.optional(),
    openQuestions: sectionSchema.optional(),
  })
  .strict();
const caseSchema = z
  .object({
    caseId: z.string(),
    scope: names,
    query: z.string(),
    userId: z.string().optional(),
    budget: z.object({ maxBeliefs: z.int().optional() }).strict().optional(),
    expect: expectationSchema,
  })
  .loose();
const benchSchema = z.object({ beliefs: z.array(beliefSchema), cases: z.array(caseSchema) }).loose();

type Section = 'personaPrelude' | 'pinnedFacts' | 'relevantBeliefs' | 'openQuestions';
type Answer = Readonly<Record<Section, readonly RecallCandidate[]>>;

const user = 'test-user';
/** Beliefs that hold everywhere are standing memory; the benchmark shows them in a prelude of their own. */
const universal = 'user:universal';
const defaultLimit = 20;

/**
 * PrecisionMemBench (tenurehq): beliefs become pages with aliases, labels, status and pins; a case passes when every
 * section has all it must, nothing it must not, and, where it says what alone belongs in it, exactly that.
 */
export async function benchPrecision(data: string): Promise<unknown> {
  const { beliefs, cases } = benchSchema.parse(JSON.parse(await readFile(data, 'utf8')));
  const uris = new Map(beliefs.map((belief) => [belief._id, uriOf(belief)]));
  const pages = new Map(beliefs.map((belief) => [pathOf(belief), contentOf(belief, uris)]));
  const kinds = new Map([...new Set(beliefs.map(({ type }) => type))].map((name) => [name, kindOf(name)]));
  const memory = await startMemoryDaemon({ pages, kinds });
  try {
    await memory.indexed();
    const ids = new Map([...uris].map(([id, uri]) => [uri, id]));
    const failed: { readonly case: string; readonly why: readonly string[] }[] = [];
    for (const one of cases) {
      const why = problemsOf(one.expect, await answer(one, memory), ids);
      if (why.length > 0) failed.push({ case: one.caseId, why });
    }
    return { passed: cases.length - failed.length, total: cases.length, failed };
  } finally {
    await memory.close();
  }
}

/** Sorts of belief are kinds of memory: a file each, as a user would add them. */
function kindOf(name: string): string {
  return stringify({
    name,
    description: `Beliefs of the sort ${name}.`,
    owner: 'user',
    folder: `${name}s`,
    policy: 'merge',
    abstract: 'statements',
  });
}

function uriOf(belief: Belief): string {
  return pageUri({ owner: 'user', userId: belief.user_id, path: `beliefs/${belief._id}` });
}

function pathOf(belief: Belief): string {
  return `memories/users/${belief.user_id}/beliefs/${belief._id}`;
}

function contentOf(belief: Belief, uris: ReadonlyMap<string, string>): string {
  const uri = (id: string): string => uris.get(id) ?? id;
  const isDone = belief.resolved_at !== null;
  const frontMatter = {
    kind: belief.type,
    title: belief.canonical_name.replaceAll('_', ' '),
    aliases: belief.aliases,
    scope: belief.scope,
    // Something that was resolved is not asked any more; `exploratory` and `inferred` ones hold until they are.
    status: isDone ? 'retired' : belief.epistemic_status === 'superseded' ? 'superseded' : 'active',
    pinned: belief.pinned,
    ...(belief.superseded_by === null ? {} : { superseded_by: uri(belief.superseded_by) }),
    links: (belief.participants ?? []).map((id) => ({ to: uri(id), type: belief.relation_type ?? 'related_to' })),
  };
  return `---\n${stringify(frontMatter)}---\n\n${belief.content}\n`;
}

/** What is pinned takes its places first. */
async function answer(
  { query, scope, userId = user, budget }: z.infer<typeof caseSchema>,
  memory: MemoryDaemon,
): Promise<Answer> {
  const limit = budget?.maxBeliefs ?? defaultLimit;
  // A search has words; one without any brings what is pinned.
  const asked = query.trim() === '' ? '.' : query;
  const base = { user_id: userId, sources: ['page'], max_tokens: 50_000 };
  const prelude = await memory.search({ ...base, query: '.', labels: [universal], limit: defaultLimit });
  // Standing memory has what is pinned, and first; recall has the places that are left.
  const standing = limit === 0 ? [] : await packed(memory, { ...base, query: '.', labels: scope, limit });
  const pinned = standing.filter(({ reason }) => reason === 'pinned');
  const found = limit === 0 ? [] : await packed(memory, { ...base, query: asked, labels: scope, limit });
  const others = found.filter(({ reason }) => reason !== 'pinned').slice(0, limit - pinned.length);
  const inScope = [...pinned, ...others];
  const isQuestion = ({ kind }: RecallCandidate): boolean => kind === 'open_question';
  return {
    personaPrelude: prelude.candidates.filter(({ packed: isPacked }) => isPacked),
    pinnedFacts: inScope.filter((one) => one.reason === 'pinned' && !isQuestion(one)),
    openQuestions: inScope.filter(isQuestion),
    relevantBeliefs: inScope.filter((one) => one.reason !== 'pinned' && !isQuestion(one)),
  };
}

async function packed(
  memory: MemoryDaemon,
  request: Readonly<Record<string, unknown>>,
): Promise<readonly RecallCandidate[]> {
  return (await memory.search(request)).candidates.filter((candidate) => candidate.packed);
}

function problemsOf(
  expected: z.infer<typeof expectationSchema>,
  got: Answer,
  ids: ReadonlyMap<string, string>,
): string[] {
  const problems: string[] = [];
  for (const section of ['pinnedFacts', 'relevantBeliefs', 'openQuestions'] as const) {
    const rules = expected[section];
    const found = got[section].map(({ uri }) => ids.get(uri) ?? uri);
    for (const id of rules?.mustInclude ?? []) if (!found.includes(id)) problems.push(`${section} lacks ${id}`);
    for (const id of rules?.mustExclude ?? []) if (found.includes(id)) problems.push(`${section} has ${id}`);
    if (!rules?.shouldOnlyInclude) continue;
    for (const id of rules.shouldOnlyInclude) if (!found.includes(id)) problems.push(`${section} lacks ${id}`);
    for (const id of found) if (!rules.shouldOnlyInclude.includes(id)) problems.push(`${section} has ${id} besides`);
  }
  const text = got.personaPrelude
    .map((one) => one.text)
    .join('\n')
    .toLowerCase();
  const persona = expected.personaPrelude;
  if (persona?.nonEmpty === true && text === '') problems.push('personaPrelude is empty');
  if (persona?.isNull === true && text !== '') problems.push('personaPrelude is not empty');
  for (const word of persona?.contains ?? [])
    if (!text.includes(word.toLowerCase())) problems.push(`personaPrelude lacks ${word}`);
  for (const word of persona?.mustNotContain ?? [])
    if (text.includes(word.toLowerCase())) problems.push(`personaPrelude has ${word}`);
  return problems;
}
