import { EngineError } from '../../../../src-shared/model/engine-error.ts';
import type { EngineApi } from '../../../../src-shared/protocol/api.ts';
import type { PageReply, PageWrite } from '../../../../src-shared/protocol/pages.ts';
import type { MemoryPages, PageFields } from '../../ports/memory-pages.ts';

type PagesApi = Pick<
  EngineApi,
  'pages' | 'page' | 'savePage' | 'deletePage' | 'pageHistory' | 'restorePage' | 'renamePage'
>;

/** What people see of pages and may do with them. */
export function createPagesApi(
  pages: MemoryPages,
  backlinksOf: (uri: string) => Promise<PageReply['backlinks']>,
): PagesApi {
  return {
    pages: async ({ query }) => {
      const { kind, status, prefix, user_id: userId, agent_id: agentId } = query;
      const filter = { kind, status, prefix, userId, agentId };
      const page = await pages.list({ cursor: query.cursor, limit: query.limit }, filter);
      return { items: [...page.items], next_cursor: page.nextCursor, total: page.total };
    },
    page: async ({ params, query }) => {
      const page =
        query.version === undefined ? await pages.read(params.uri) : await pages.readVersion(params.uri, query.version);
      return { ...page, backlinks: await backlinksOf(page.uri) };
    },
    savePage: async ({ params, body }) =>
      pages.save({
        uri: params.uri,
        change: changeOf(body),
        baseVersion: body.base_version ?? (body.base_hash === undefined ? 0 : undefined),
        baseHash: body.base_hash,
        author: body.author,
        ...(body.reason === undefined ? {} : { reason: body.reason }),
      }),
    deletePage: async ({ params, body }) => {
      const { mode, base_version: baseVersion, reason } = body;
      const page = await pages.read(params.uri);
      if (mode === 'retire') {
        await pages.save({
          uri: page.uri,
          change: { fields: { status: 'retired' } },
          baseVersion,
          author: 'user',
          ...(reason === undefined ? {} : { reason }),
        });
        return { uri: page.uri, mode, removed: [{ what: 'pages retired', count: 1 }], remains: [] };
      }
      if (body.confirm !== page.uri && body.confirm !== page.title) throw confirmationNeeded(page.uri, page.title);
      const erased = await pages.erase(page.uri, { ...(baseVersion === undefined ? {} : { baseVersion }) });
      return { uri: page.uri, mode, removed: [...erased.removed], remains: [...erased.remains] };
    },
    pageHistory: async ({ params, query }) => {
      const page = await pages.history(params.uri, { cursor: query.cursor, limit: query.limit });
      return { items: [...page.items], next_cursor: page.nextCursor, total: page.total };
    },
    restorePage: async ({ params, body }) =>
      pages.restore(params.uri, body.version, { ...baseOf(body), author: 'user' }),
    renamePage: async ({ params, body }) => pages.rename(params.uri, body.to, { ...baseOf(body), author: 'user' }),
  };
}

function baseOf(body: { readonly base_version?: number | undefined }): { readonly baseVersion?: number } {
  return body.base_version === undefined ? {} : { baseVersion: body.base_version };
}

function changeOf(body: PageWrite): { readonly content: string } | { readonly fields: PageFields } {
  const { content, kind, title, truth, aliases, tags, scope, visibility, status, pinned } = body;
  const given = Object.entries({ kind, title, truth, aliases, tags, scope, visibility, status, pinned });
  const fields: PageFields = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  const hasFields = Object.keys(fields).length > 0;
  if (content !== undefined && !hasFields) return { content };
  if (content === undefined && hasFields) return { fields };
  throw new EngineError(
    'invalid_request',
    'Expected either "content", the whole file, or single fields such as "title" and "truth", got ' +
      (content === undefined ? 'neither.' : 'both. Front matter in the content says the same as fields.'),
  );
}

function confirmationNeeded(uri: string, title: string): EngineError {
  return new EngineError(
    'confirmation_needed',
    `Forgetting ${uri} for good removes its file and all its versions and cannot be undone. Confirm by sending its title or its URI as "confirm".`,
    { details: { uri, title } },
  );
}
