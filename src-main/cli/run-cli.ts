import { CommanderError, type Command } from 'commander';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { createDaemonClient } from '../http/client/daemon-client.ts';
import { repositoryRoot } from '../repository-root.ts';
import { resolveDataDirectory } from '../settings/data-directory.ts';
import { exitCodes, type CliContext } from './cli-context.ts';
import { createProgram, type GlobalOptions } from './create-program.ts';
import { escapeControls } from './escape-controls.ts';
import { reportError } from './report-error.ts';

export interface CliSurroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Undefined where no person can answer. */
  readonly ask?: (question: string) => Promise<string>;
  readonly now: () => Date;
  /** Where the product lies; tests name another place. */
  readonly root?: string;
}

/**
 * Runs one command line; never throws and never ends the process.
 * @param args without node and script
 * @returns the exit code
 */
export async function runCli(args: readonly string[], surroundings: CliSurroundings): Promise<number> {
  let code: number = exitCodes.ok;
  const program = createProgram(
    (options) => makeContext(options, surroundings),
    (outcome) => (code = outcome),
  );
  configure(program, surroundings);
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : usageFailure(error, surroundings);
    return reportError(error, makeContext({ json: args.includes('--json') }, surroundings));
  }
}

function makeContext(options: GlobalOptions, surroundings: CliSurroundings): CliContext {
  const { env, stdout, stderr, ask, now, root } = surroundings;
  const dataDir = options.dataDir === undefined ? resolveDataDirectory(env) : resolve(options.dataDir);
  return {
    env,
    dataDir,
    client: createDaemonClient({ dataDir }),
    json: options.json ?? false,
    root: root ?? repositoryRoot(),
    now,
    print: (text) => stdout(`${options.json === true ? text : escapeControls(text)}\n`),
    note: (text) => stderr(`${escapeControls(text)}\n`),
    canAsk: ask !== undefined,
    confirm: async (question) => ask !== undefined && /^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim()),
  };
}

/** Commander would end the process and write past us. */
function configure(command: Command, { stdout, stderr }: CliSurroundings): void {
  command.exitOverride().configureOutput({ writeOut: stdout, writeErr: stderr });
  for (const child of command.commands) configure(child, { stdout, stderr } as CliSurroundings);
}

function usageFailure(error: CommanderError, { stderr }: CliSurroundings): number {
  // What commander found itself it has already written; our own checks of arguments it has not.
  if (error.code === 'commander.invalidArgument' && !error.message.startsWith('error:'))
    stderr(`strata: ${error.message}\n`);
  return exitCodes.usage;
}

/** Asks on the terminal; undefined when there is none to ask on. */
export function terminalAsk(input: NodeJS.ReadStream, output: NodeJS.WriteStream): CliSurroundings['ask'] {
  if (!input.isTTY || !output.isTTY) return undefined;
  return async (question) => {
    const terminal = createInterface({ input, output });
    try {
      return await terminal.question(question);
    } finally {
      terminal.close();
    }
  };
}
