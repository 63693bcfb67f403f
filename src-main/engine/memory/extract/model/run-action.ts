import type { SessionRow } from '../../../ports/session-store.ts';
import type { MemoryIndex } from '../../../ports/memory-index.ts';
import type { MemoryPages } from '../../../ports/memory-pages.ts';
import type { MemoryKinds } from '../../kinds/memory-kinds.ts';
import { localAccount } from '../../scope-of.ts';
import { isOwn } from '../../operations/resolve-caller.ts';
import { maskSecrets } from '../gates/mask-secrets.ts';
import type { ExtractAction, ModelAction } from './model-answer.ts';
import { EngineError } from '../../../../../src-shared/model/engine-error.ts';

/** What one action gives the model to read at most (characters). */
const longestResult = 4_000;
const mostListed = 50;

export interface ActionParts {
  readonly pages: MemoryPages;
  readonly kinds: MemoryKinds;
  readonly memoryIndex: Pick<MemoryIndex, 'links'>;
}

/** Looks something up for the model, in memory of the session's own user and agent only. Never throws for what is not there. */
export async function runAction(
  action: Exclude<ModelAction, ExtractAction>,
  session: SessionRow,
  { pages, kinds, memoryIndex }: ActionParts,
): Promise<string> {
  if (action.action === 'list') return listKind(action.kind, session, pages, kinds);
  const page = await findOwn(action.uri, session, pages);
  if (!page) return `${action.action} ${action.uri}: there is no such page.`;
  if (action.action === 'get_relations') {
    return relationsOf(page.uri, session, memoryIndex);
  }
  return clip(`read ${page.uri} (${page.kind}, ${page.status}): ${page.title}\n${page.truth}`);
}

async function listKind(
  name: string,
  { userId, agentId }: SessionRow,
  pages: MemoryPages,
  kinds: MemoryKinds,
): Promise<string> {
  const kind = kinds.find(name);
  if (!kind) return `list ${name}: there is no such kind.`;
  const owner = kind.owner === 'user' ? { userId } : { agentId };
  const found = await pages.list({ cursor: undefined, limit: mostListed }, { ...owner, kind: name, status: 'active' });
  const lines = found.items.map(({ uri, title, abstract }) => `- ${uri} ${title}: ${abstract.slice(0, 120)}`);
  return clip(`list ${name} (${found.items.length} of ${found.total}):\n${lines.join('\n')}`);
}

/** Both ways, as the index resolved them: what others say of the page is as good as what it says itself. */
async function relationsOf(uri: string, session: SessionRow, index: ActionParts['memoryIndex']): Promise<string> {
  const scope = {
    accountId: localAccount,
    userId: session.userId,
    agentId: session.agentId,
    sessionUid: session.uid,
    otherSessions: false,
    access: 'all',
    labels: undefined,
  } as const;
  const [out, into] = await Promise.all([index.links([uri], 'out', scope), index.links([uri], 'in', scope)]);
  const told = [...out.map(({ type, to }) => `${type} ${to}`), ...into.map(({ type, from }) => `${from} ${type} this`)];
  return `get_relations ${uri}: ${told.slice(0, mostListed).join('; ') || 'none'}`;
}

async function findOwn(uri: string, session: SessionRow, pages: MemoryPages) {
  try {
    return isOwn(uri, session) ? await pages.find(uri) : undefined;
  } catch (error) {
    // A model makes addresses up.
    if (error instanceof EngineError && error.code === 'invalid_request') return undefined;
    throw error;
  }
}

function clip(text: string): string {
  const shown = maskSecrets(text).text;
  return shown.length <= longestResult ? shown : `${shown.slice(0, longestResult).toWellFormed()}…`;
}
