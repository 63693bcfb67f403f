import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { exportRoute } from '../../../src-shared/protocol/sessions.ts';
import { fileFailure } from '../../settings/file-failure.ts';
import type { CliContext } from '../cli-context.ts';
import { findSession } from '../find-session.ts';
import { formatCount } from '../format.ts';

/** Writes the transcript of a session as JSON lines, to a file or to the standard output. */
export async function exportCommand(
  context: CliContext,
  session: string,
  options: { readonly output?: string; readonly force?: boolean },
): Promise<void> {
  const { session_uid: id } = await findSession(context, session);
  const jsonl = await context.client.call(exportRoute, { params: { id } }, { timeoutMs: 120_000 });
  if (options.output === undefined) {
    context.print(jsonl.replace(/\n$/, ''));
    return;
  }
  const file = resolve(options.output);
  try {
    await writeFile(file, jsonl, { flag: options.force ? 'w' : 'wx', mode: 0o600 });
  } catch (error) {
    throw fileFailure(error, file, 'Choose another file, or overwrite it with --force');
  }
  const lines = jsonl.split('\n').filter((line) => line !== '').length;
  const bytes = Buffer.byteLength(jsonl);
  if (context.json) context.print(JSON.stringify({ file, lines, bytes }));
  else context.print(`Wrote ${formatCount(lines)} lines to ${file}.`);
}
