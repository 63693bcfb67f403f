import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { importRoute } from '../../../src-shared/protocol/sessions.ts';
import { fileFailure } from '../../settings/file-failure.ts';
import type { CliContext } from '../cli-context.ts';
import { formatCount } from '../format.ts';

/** Takes in a transcript that `export` wrote; turns that are known are skipped. */
export async function importCommand(context: CliContext, file: string): Promise<void> {
  const jsonl = file === '-' ? await text(process.stdin) : await readText(file);
  const reply = await context.client.call(importRoute, { body: { jsonl } }, { timeoutMs: 120_000 });
  if (context.json) {
    context.print(JSON.stringify(reply));
    return;
  }
  context.print(
    `Imported ${formatCount(reply.imported)} turns into ${reply.session_uid}, skipped ${formatCount(reply.skipped)} known ones.`,
  );
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new EngineError(
        'invalid_request',
        `There is no file ${resolve(file)}. Name one that "npm run strata -- export" wrote.`,
        { cause: error },
      );
    }
    throw fileFailure(error, file, 'Name a file that "npm run strata -- export" wrote');
  }
}
