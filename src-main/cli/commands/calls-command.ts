import { callRoute } from '../../../src-shared/protocol/calls.ts';
import { sessionCallsRoute } from '../../../src-shared/protocol/sessions.ts';
import type { AssembleTrace, ProviderUsage } from '../../../src-shared/model/trace.ts';
import type { CliContext } from '../cli-context.ts';
import { findSession } from '../find-session.ts';
import { cut, formatAge, formatCount } from '../format.ts';
import { printTable } from '../print-table.ts';

/** The assemble calls of a session, newest first. */
export async function callsCommand(
  context: CliContext,
  session: string,
  options: { readonly limit: number },
): Promise<void> {
  const { session_uid: id } = await findSession(context, session);
  const page = await context.client.call(sessionCallsRoute, {
    params: { id },
    query: { limit: options.limit },
  });
  if (context.json) {
    context.print(JSON.stringify(page));
    return;
  }
  if (page.items.length === 0) {
    context.print('No calls yet: no context was assembled for this session.');
    return;
  }
  const table = printTable(
    [
      { title: 'CALL', value: (row) => row.call_id },
      { title: 'TOKENS', value: (row) => `≈${formatCount(row.estimated_tokens)}`, align: 'right' },
      { title: 'BUDGET', value: (row) => formatCount(row.token_budget), align: 'right' },
      { title: 'PROVIDER', value: (row) => providerCount(row.usage), align: 'right' },
      { title: 'IN', value: (row) => row.included, align: 'right' },
      { title: 'CUT', value: (row) => row.trimmed, align: 'right' },
      { title: 'OUT', value: (row) => row.dropped, align: 'right' },
      { title: 'MS', value: (row) => row.duration_ms.toFixed(1), align: 'right' },
      { title: 'WHEN', value: (row) => `${formatAge(row.created_at, context.now())} ago` },
      {
        title: 'PROMPT',
        value: (row) => cut(row.degraded ? `degraded: ${row.degraded.code}` : (row.prompt_preview ?? ''), 40),
      },
    ],
    page.items,
  );
  context.print(table);
  if (page.total > page.items.length) {
    context.note(`${page.items.length} of ${formatCount(page.total)}; --limit shows more.`);
  }
}

function providerCount(usage: ProviderUsage | undefined): string {
  if (usage === undefined) return '–';
  const count = formatCount(usage.prompt_tokens);
  return usage.sum_of_model_calls === undefined ? count : `${count} in ${usage.sum_of_model_calls} calls`;
}

/** One call: what was decided about every candidate, in order. */
export async function callCommand(context: CliContext, callId: string): Promise<void> {
  const reply = await context.client.call(callRoute, { params: { id: callId } });
  context.print(context.json ? JSON.stringify(reply) : describeCall(reply.trace));
}

export function describeCall(trace: AssembleTrace): string {
  const items = new Map(trace.items.map((item) => [item.item, item]));
  const table = printTable(
    [
      { title: '#', value: (row) => row.seq, align: 'right' },
      { title: 'ACTION', value: (row) => row.action },
      { title: 'REASON', value: (row) => row.reason },
      { title: 'KIND', value: (row) => items.get(row.item)?.kind ?? '' },
      { title: 'TURNS', value: (row) => items.get(row.item)?.count ?? '', align: 'right' },
      { title: 'TOKENS', value: (row) => formatCount(row.tokens_before), align: 'right' },
      { title: 'SENT', value: (row) => formatCount(row.tokens_after), align: 'right' },
      { title: 'LEFT', value: (row) => formatCount(row.budget_left), align: 'right' },
      { title: 'PREVIEW', value: (row) => cut(items.get(row.item)?.preview ?? '', 50) },
    ],
    trace.decisions,
  );
  const budget = `≈${formatCount(trace.estimated_tokens)} of ${formatCount(trace.token_budget)} tokens (${trace.counter})`;
  return [
    `Call ${trace.call_id} · strategy ${trace.strategy} · ${budget} · ${trace.duration_ms.toFixed(1)} ms`,
    ...(trace.degraded ? [`Degraded: ${trace.degraded.message}`] : []),
    '',
    table,
  ].join('\n');
}
