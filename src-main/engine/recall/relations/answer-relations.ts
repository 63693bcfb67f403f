import type { MemoryScope } from '../../../../src-shared/model/memory-scope.ts';
import { sortOfUri } from '../../memory/links/page-sort.ts';
import { relationTypes } from '../../memory/links/relation-types.ts';
import type { MemoryIndex } from '../../ports/memory-index.ts';
import type { RelationAnswer, RelationBranch, RelationPlan, RelationStep } from './relation-plan.ts';

const mostAnswers = 50;
/** Pages that a hop starts from; a hub of more is cut, in order of score. */
const widestHop = 200;
/** What a link that only mostly says what was asked for counts, a hop beyond the first, and a neighbour without the relation. */
const impliedScore = 0.75;
const furtherHop = 0.9;
const neighbourScore = 0.35;
/** Factor of a page whose sort is unknown, or another than the one that is asked for. */
const unknownSort = 0.9;
const otherSort = 0.4;

type Path = RelationAnswer['path'];
type Reached = Map<string, { readonly score: number; readonly path: Path }>;

const impliedBy: ReadonlyMap<string, readonly string[]> = new Map(
  relationTypes.map(({ type, impliedBy: others = [] }) => [type, others]),
);

/**
 * Pages that the plan leads to, best first, at most 50. The anchors themselves are not among them. Where links do not say
 * the relation, neighbours of the anchors follow with scores below 0.5: text search decides between those.
 */
export async function answerRelations(
  plan: RelationPlan,
  index: MemoryIndex,
  scope: MemoryScope,
): Promise<readonly RelationAnswer[]> {
  const anchors = new Set(plan.anchors.map(({ page }) => page.uri));
  const around = await neighbours([...anchors], index, scope);
  const found = plan.shape === 'follow' ? await followAll(plan.branches, index, scope) : betweenAll(plan, around);
  const merged: Reached = new Map(flatten(around));
  for (const [uri, answer] of found) keepBetter(merged, uri, answer.score, answer.path);
  return [...merged]
    .filter(([uri]) => !anchors.has(uri))
    .map(([uri, { score, path }]) => ({ uri, score: score * sortFactor(uri, plan), path }))
    .sort((a, b) => b.score - a.score || (a.uri < b.uri ? -1 : 1))
    .slice(0, mostAnswers);
}

/** By anchor: the pages that any link joins to it. More links between two make a closer neighbour, up to 0.1. */
async function neighbours(
  anchors: readonly string[],
  index: MemoryIndex,
  scope: MemoryScope,
): Promise<ReadonlyMap<string, Reached>> {
  const around = new Map<string, Reached>();
  for (const anchor of anchors) {
    const reached: Reached = new Map();
    const links = [...(await index.links([anchor], 'out', scope)), ...(await index.links([anchor], 'in', scope))];
    for (const link of links) {
      const other = link.from === anchor ? link.to : link.from;
      const known = reached.get(other);
      const score = known ? Math.min(neighbourScore + 0.1, known.score + 0.02) : neighbourScore;
      reached.set(other, { score, path: known?.path ?? [link] });
    }
    around.set(anchor, reached);
  }
  return around;
}

/** Pages next to several anchors connect them; the more anchors, the higher. */
function betweenAll(plan: RelationPlan, around: ReadonlyMap<string, Reached>): Reached {
  const joint: Reached = new Map();
  if (plan.shape !== 'connect') return joint;
  for (const [uri, answers] of Map.groupBy(all(around), ([page]) => page)) {
    if (answers.length < 2) continue;
    const path = answers.flatMap(([, answer]) => answer.path);
    joint.set(uri, { score: 0.5 + (0.5 * answers.length) / around.size, path });
  }
  return joint;
}

async function followAll(
  branches: readonly RelationBranch[],
  index: MemoryIndex,
  scope: MemoryScope,
): Promise<Reached> {
  const answers = new Map<string, { score: number; path: Path }>();
  for (const branch of branches) {
    const reached = await follow(branch, index, scope);
    for (const [uri, { score, path }] of reached) {
      const known = answers.get(uri);
      answers.set(uri, {
        score: (known?.score ?? 0) + score / branches.length,
        path: [...(known?.path ?? []), ...path],
      });
    }
  }
  return answers;
}

async function follow({ anchor, steps }: RelationBranch, index: MemoryIndex, scope: MemoryScope): Promise<Reached> {
  let reached: Reached = new Map([[anchor.page.uri, { score: 1, path: [] }]]);
  const passed = new Set<string>([anchor.page.uri]);
  const hops: readonly RelationStep[] = steps.length > 0 ? steps : [{ types: undefined, direction: 'both' }];
  for (const [at, step] of hops.entries()) {
    const next = await hop(reached, step, at === 0 ? 1 : furtherHop, index, scope);
    for (const uri of passed) next.delete(uri);
    for (const uri of next.keys()) passed.add(uri);
    reached = next;
  }
  return reached;
}

async function hop(
  from: Reached,
  { types, direction }: RelationStep,
  factor: number,
  index: MemoryIndex,
  scope: MemoryScope,
): Promise<Reached> {
  const starts = [...from].sort(([, a], [, b]) => b.score - a.score).slice(0, widestHop);
  const uris = starts.map(([uri]) => uri);
  const implied = (types ?? []).flatMap((type) => impliedBy.get(type) ?? []);
  const wanted = types && [...new Set([...types, ...implied])];
  const reached: Reached = new Map();
  for (const way of direction === 'both' ? (['out', 'in'] as const) : [direction]) {
    for (const link of await index.links(uris, way, scope, wanted)) {
      const [start, end] = way === 'out' ? [link.from, link.to] : [link.to, link.from];
      const before = from.get(start);
      if (!before) continue;
      const weight = types === undefined || types.includes(link.type) ? 1 : impliedScore;
      keepBetter(reached, end, before.score * factor * weight, [...before.path, link]);
    }
  }
  return reached;
}

function keepBetter(reached: Reached, uri: string, score: number, path: Path): void {
  const known = reached.get(uri);
  if (!known || known.score < score) reached.set(uri, { score, path });
}

function flatten(around: ReadonlyMap<string, Reached>): Reached {
  const flat: Reached = new Map();
  for (const [uri, { score, path }] of all(around)) keepBetter(flat, uri, score, path);
  return flat;
}

function all(around: ReadonlyMap<string, Reached>): [string, { score: number; path: Path }][] {
  return [...around.values()].flatMap((reached) => [...reached]);
}

function sortFactor(uri: string, { wanted }: RelationPlan): number {
  const sort = sortOfUri(uri);
  if (wanted.length === 0 || (sort !== undefined && wanted.includes(sort))) return 1;
  return sort === undefined ? unknownSort : otherSort;
}
