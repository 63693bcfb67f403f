import { text } from 'node:stream/consumers';
import type { PageStatus, PageHead } from '../../../src-shared/model/memory-page.ts';
import {
  deletePageRoute,
  pageHistoryRoute,
  pageRoute,
  pagesRoute,
  restorePageRoute,
  savePageRoute,
} from '../../../src-shared/protocol/pages.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { CliContext } from '../cli-context.ts';
import { cut, formatAge, formatBytes, formatCount } from '../format.ts';
import { printTable } from '../print-table.ts';

export interface PagesOptions {
  readonly limit: number;
  readonly kind?: string;
  readonly status?: PageStatus;
  readonly prefix?: string;
  readonly user?: string;
  readonly agent?: string;
}

/** Memory pages and other Markdown files of the workspace, by path. */
export async function pagesCommand(context: CliContext, options: PagesOptions): Promise<void> {
  const { limit, kind, status, prefix, user: user_id, agent: agent_id } = options;
  const query = { limit, kind, status, prefix, user_id, agent_id };
  const page = await context.client.call(pagesRoute, { query });
  if (context.json) return context.print(JSON.stringify(page));
  if (page.items.length === 0) return context.print('No such pages.');
  context.print(
    printTable(
      [
        { title: 'PATH', value: (row) => cut(row.path, 70) },
        { title: 'KIND', value: (row) => row.kind },
        { title: 'TITLE', value: (row) => cut(row.title, 40) },
        { title: 'STATE', value: stateOf },
        { title: 'VERSION', value: (row) => row.version, align: 'right' },
        { title: 'CHANGED', value: (row) => `${formatAge(row.updated_at, context.now())} ago` },
        { title: 'REMARK', value: (row) => cut(row.problem?.message ?? '', 60) },
      ],
      page.items,
    ),
  );
  if (page.total > page.items.length) {
    context.note(`${page.items.length} of ${formatCount(page.total)}; --limit shows more.`);
  }
}

/** The text of a page, with what is known of it. */
export async function showPageCommand(
  context: CliContext,
  name: string,
  options: { readonly at?: number; readonly raw?: boolean },
): Promise<void> {
  const query = options.at === undefined ? {} : { version: options.at };
  const page = await context.client.call(pageRoute, { params: { uri: uriOf(name) }, query });
  if (context.json) return context.print(JSON.stringify(page));
  if (options.raw === true) return context.print(page.content.replace(/\r?\n$/, ''));
  const about = [
    `${page.title} (${page.kind}, ${stateOf(page)}, version ${page.version}, ${formatBytes(page.size)})`,
    page.uri,
    page.path,
    ...(page.problem ? [`Cannot be read as a page: ${page.problem.message}`] : []),
    ...(page.backlinks.length === 0 ? [] : [`Linked from ${page.backlinks.map((link) => link.title).join(', ')}`]),
  ];
  context.print(`${about.join('\n')}\n\n${page.content.trimEnd()}`);
}

/** Writes what comes on standard input in the place of the page. */
export async function editPageCommand(
  context: CliContext,
  name: string,
  options: { readonly base?: number; readonly reason?: string },
): Promise<void> {
  const uri = uriOf(name);
  const content = await text(process.stdin);
  const base_version = options.base ?? (await versionOf(context, uri));
  const reason = options.reason === undefined ? {} : { reason: options.reason };
  const page = await context.client.call(savePageRoute, {
    params: { uri },
    body: { content, base_version, ...reason },
  });
  context.print(context.json ? JSON.stringify(page) : `${page.uri} is version ${page.version} now, in ${page.path}.`);
}

/** Versions of a page, newest first. */
export async function pageHistoryCommand(
  context: CliContext,
  name: string,
  options: { readonly limit: number },
): Promise<void> {
  const page = await context.client.call(pageHistoryRoute, { params: { uri: uriOf(name) }, query: options });
  if (context.json) return context.print(JSON.stringify(page));
  context.print(
    printTable(
      [
        { title: 'VERSION', value: (row) => row.version, align: 'right' },
        { title: 'CHANGE', value: (row) => row.change },
        { title: 'BY', value: (row) => row.author },
        { title: 'SIZE', value: (row) => formatBytes(row.size), align: 'right' },
        { title: 'WHEN', value: (row) => `${formatAge(row.at, context.now())} ago` },
        { title: 'REASON', value: (row) => cut(row.reason ?? '', 60) },
      ],
      page.items,
    ),
  );
  if (page.total > page.items.length) {
    context.note(`${page.items.length} of ${formatCount(page.total)}; --limit shows more.`);
  }
}

export async function restorePageCommand(context: CliContext, name: string, version: number): Promise<void> {
  const page = await context.client.call(restorePageRoute, { params: { uri: uriOf(name) }, body: { version } });
  const told = `${page.uri} is as it was in version ${version}; that is version ${page.version} now.`;
  context.print(context.json ? JSON.stringify(page) : told);
}

/** The page stays, and is recalled no longer. */
export async function retirePageCommand(
  context: CliContext,
  name: string,
  options: { readonly reason?: string },
): Promise<void> {
  const body = { mode: 'retire' as const, ...(options.reason === undefined ? {} : { reason: options.reason }) };
  const reply = await context.client.call(deletePageRoute, { params: { uri: uriOf(name) }, body });
  const told = `${reply.uri} is retired: it is kept, and recalled no longer. "pages history" lists what to restore.`;
  context.print(context.json ? JSON.stringify(reply) : told);
}

/** Removes a page with its history, after a confirmation. */
export async function forgetPageCommand(
  context: CliContext,
  name: string,
  options: { readonly confirm?: string },
): Promise<boolean> {
  const { uri, title, version } = await context.client.call(pageRoute, { params: { uri: uriOf(name) } });
  const question = `Remove "${title}" (${uri}) with all its versions, for good?`;
  const confirm = options.confirm ?? ((await context.confirm(question)) ? uri : undefined);
  if (confirm === undefined) {
    context.note(`Nothing was removed. Without a terminal, confirm with --confirm and the title or URI of the page.`);
    return false;
  }
  const body = { mode: 'hard' as const, confirm, base_version: version };
  const reply = await context.client.call(deletePageRoute, { params: { uri }, body });
  if (context.json) {
    context.print(JSON.stringify(reply));
    return true;
  }
  const removed = reply.removed.map(({ what, count }) => `${formatCount(count)} ${what}`).join(', ');
  const remains = reply.remains.map(({ what, until }) => `  ${what} (until ${until})`);
  context.print([`Removed ${removed}.`, 'What may still hold it:', ...remains].join('\n'));
  return true;
}

async function versionOf(context: CliContext, uri: string): Promise<number> {
  try {
    return (await context.client.call(pageRoute, { params: { uri } })).version;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'unknown_page') return 0;
    throw error;
  }
}

/** People type paths, too: `memory/2026-11-02.md`, as `pages list` shows them. */
function uriOf(name: string): string {
  if (name.startsWith('strata://')) return name;
  const [first, second, owner, ...rest] = name.replace(/\.md$/, '').split('/').map(encodeURIComponent);
  if (first === 'memories' && (second === 'users' || second === 'agents') && owner !== undefined && rest.length > 0) {
    // Directories of owners are percent-encoded already.
    return `strata://${second.slice(0, -1)}/${decodeURIComponent(owner)}/memories/${rest.join('/')}`;
  }
  return `strata://resources/${[first, second, owner, ...rest].filter((part) => part !== undefined).join('/')}`;
}

function stateOf(page: PageHead): string {
  if (page.problem) return 'unreadable';
  return page.pinned ? `${page.status}, pinned` : page.status;
}
