import type { PageReply } from '../../../../src-shared/protocol/pages.ts';
import { parseUri } from '../../../../src-shared/model/uri.ts';
import type { MemoryIndex } from '../../ports/memory-index.ts';
import { localAccount } from '../scope-of.ts';

/** More are counted by nobody who reads a page; the relations of a hub are asked for by search. */
const mostBacklinks = 500;

/** Pages that point at a page, with the relation, as its owner sees them. */
export async function findBacklinks(
  uri: string,
  index: Pick<MemoryIndex, 'links' | 'rows'>,
  defaultUser: string,
): Promise<PageReply['backlinks']> {
  const page = parseUri(uri);
  const owner = page.kind === 'page' ? page : undefined;
  const scope = {
    accountId: localAccount,
    userId: owner?.owner === 'user' ? owner.userId : defaultUser,
    agentId: owner?.owner === 'agent' ? owner.agentId : 'main',
    ...({ sessionUid: undefined, otherSessions: false, access: 'all', labels: undefined } as const),
  };
  const links = (await index.links([uri], 'in', scope)).slice(0, mostBacklinks);
  const rows = await index.rows([...new Set(links.map(({ from }) => from))], scope);
  const titles = new Map(rows.map((row) => [row.uri, row.title]));
  return links.map(({ from, type }) => ({ from, type, title: titles.get(from) ?? '' }));
}
