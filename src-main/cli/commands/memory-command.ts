import type { MemoryAction, MemoryOperation } from '../../../src-shared/model/memory-operation.ts';
import { memoryOperationsRoute, undoMemoryOperationRoute } from '../../../src-shared/protocol/pages.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { CliContext } from '../cli-context.ts';
import { findSession } from '../find-session.ts';
import { cut, formatAge, formatCount } from '../format.ts';
import { printTable } from '../print-table.ts';

export interface MemoryLogOptions {
  readonly limit: number;
  readonly action?: MemoryAction;
  readonly page?: string;
  readonly session?: string;
}

/** What was judged about memory, newest first. */
export async function memoryLogCommand(context: CliContext, options: MemoryLogOptions): Promise<void> {
  const { limit, action, page: uri } = options;
  const session = options.session === undefined ? undefined : await findSession(context, options.session);
  const query = { limit, action, uri, session_uid: session?.session_uid };
  const page = await context.client.call(memoryOperationsRoute, { query });
  if (context.json) return context.print(JSON.stringify(page));
  if (page.items.length === 0) {
    const isFiltered = [action, uri, session].some((filter) => filter !== undefined);
    return context.print(isFiltered ? 'No such operations.' : 'Nothing was judged about memory yet.');
  }
  context.print(
    printTable(
      [
        { title: 'OPERATION', value: (row) => row.operation_id },
        { title: 'ACTION', value: actionOf },
        { title: 'KIND', value: (row) => row.kind ?? '' },
        { title: 'TEXT', value: (row) => cut(row.text, 60) },
        { title: 'WHY', value: (row) => row.reason.code.replaceAll('_', ' ') },
        { title: 'BY', value: (row) => row.method },
        { title: 'AGE', value: (row) => formatAge(row.at, context.now()) },
        { title: 'PAGE', value: (row) => row.uri ?? '' },
      ],
      page.items,
    ),
  );
  if (page.total > page.items.length) {
    context.note(`${page.items.length} of ${formatCount(page.total)}; --limit shows more.`);
  }
}

/** Puts the pages of one operation back as they were before it. */
export async function undoMemoryCommand(context: CliContext, id: string): Promise<void> {
  const operation = await known(id, context.client.call(undoMemoryOperationRoute, { params: { id } }));
  if (context.json) return context.print(JSON.stringify(operation));
  context.print(`Undone: ${operation.text}\n${operation.uri ?? ''}`.trimEnd());
  context.note(`"npm run strata -- memory undo ${operation.operation_id}" brings it back.`);
}

/** The daemon's own remedy is a request; here it is a command. */
async function known<T>(id: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'unknown_operation') throw error;
    throw new EngineError(
      'unknown_operation',
      `There is no operation ${JSON.stringify(id)}. "npm run strata -- memory" lists those there are.`,
    );
  }
}

function actionOf(operation: MemoryOperation): string {
  return operation.undone_at === undefined ? operation.action : `${operation.action} (undone)`;
}
