import { sessionsRoute } from '../../../src-shared/protocol/sessions.ts';
import type { CliContext } from '../cli-context.ts';
import { cut, formatAge, formatCount } from '../format.ts';
import { printTable } from '../print-table.ts';

export interface SessionsOptions {
  readonly limit: number;
  readonly agent?: string;
}

/** Sessions, last active first. */
export async function sessionsCommand(context: CliContext, options: SessionsOptions): Promise<void> {
  const page = await context.client.call(sessionsRoute, { query: { limit: options.limit, agent_id: options.agent } });
  if (context.json) {
    context.print(JSON.stringify(page));
    return;
  }
  if (page.items.length === 0) {
    context.print(
      'No sessions yet. They appear with the first turn of a host; "npm run strata -- openclaw install" connects OpenClaw.',
    );
    return;
  }
  const table = printTable(
    [
      { title: 'SESSION', value: (row) => row.session_uid },
      { title: 'KEY', value: (row) => cut(row.session_key || row.session_id, 40) },
      { title: 'TURNS', value: (row) => formatCount(row.turn_count), align: 'right' },
      { title: 'TOKENS', value: (row) => formatCount(row.epoch_tokens), align: 'right' },
      { title: 'CALLS', value: (row) => formatCount(row.call_count), align: 'right' },
      { title: 'CHECKPOINTS', value: (row) => formatCount(row.checkpoint_count), align: 'right' },
      { title: 'STATE', value: (row) => (row.ended ? `ended (${row.ended.reason})` : row.state) },
      { title: 'LAST ACTIVE', value: (row) => `${formatAge(row.last_active_at, context.now())} ago` },
    ],
    page.items,
  );
  context.print(table);
  if (page.total > page.items.length) {
    context.note(`${page.items.length} of ${formatCount(page.total)}; --limit shows more.`);
  }
}
