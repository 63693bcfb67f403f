import type { Alarm } from '../../../../src-shared/model/events.ts';
import type { PageStore } from '../../ports/page-store.ts';

/** Pages that have a problem are kept and listed, but not searched: a person should know. */
export function unreadableAlarm({ count, first }: ReturnType<PageStore['unreadable']>): Alarm[] {
  if (!first) return [];
  const which = count === 1 ? `The page ${first.path}` : `${count} pages, the first of them ${first.path},`;
  return [
    {
      code: 'page_unreadable',
      severity: 'warning',
      message: `${which} cannot be read: ${first.summary.problem?.message ?? 'it has a problem.'}`,
      remedy:
        'Mend the file with any editor, or move it out of the workspace; "npm run strata -- pages list" shows each.',
      since: new Date(first.updatedAt).toISOString(),
    },
  ];
}
