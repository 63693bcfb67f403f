import { Command, InvalidArgumentError, Option } from 'commander';
import { identifierPolicySchema } from '../../src-shared/model/checkpoint.ts';
import { memoryActionSchema } from '../../src-shared/model/memory-operation.ts';
import { pageStatusSchema } from '../../src-shared/model/memory-page.ts';
import { jobStateSchema } from '../../src-shared/model/job.ts';
import { productVersion } from '../product-version.ts';
import { exitCodes, type CliContext } from './cli-context.ts';
import { callCommand, callsCommand } from './commands/calls-command.ts';
import {
  checkpointsCommand,
  dissolveCommand,
  rerunCommand,
  restoreCommand,
  showCheckpointCommand,
  type RerunOptions,
} from './commands/checkpoints-command.ts';
import { compactCommand, type CompactOptions } from './commands/compact-command.ts';
import { expandCommand, type ExpandOptions } from './commands/expand-command.ts';
import { exportCommand } from './commands/export-command.ts';
import { importCommand } from './commands/import-command.ts';
import { installCommand, openClawStatusCommand, uninstallCommand } from './commands/openclaw-command.ts';
import {
  cancelJobCommand,
  jobsCommand,
  retryJobCommand,
  showJobCommand,
  type JobsOptions,
} from './commands/jobs-command.ts';
import type { McpOptions } from './commands/mcp-command.ts';
import { memoryLogCommand, undoMemoryCommand, type MemoryLogOptions } from './commands/memory-command.ts';
import { openCommand } from './commands/open-command.ts';
import { recallCommand, type RecallOptions } from './commands/recall-command.ts';
import {
  editPageCommand,
  forgetPageCommand,
  pageHistoryCommand,
  pagesCommand,
  restorePageCommand,
  retirePageCommand,
  showPageCommand,
  type PagesOptions,
} from './commands/pages-command.ts';
import { reindexCommand, type ReindexOptions } from './commands/reindex-command.ts';
import { sessionsCommand, type SessionsOptions } from './commands/sessions-command.ts';
import { statusCommand } from './commands/status-command.ts';

export interface GlobalOptions {
  readonly json?: boolean;
  readonly dataDir?: string;
}

/** Makes the context of a command out of the options that every command has. */
export type ContextFactory = (options: GlobalOptions) => CliContext;

const whichSession = '"npm run strata -- sessions" lists the sessions.';

/**
 * The strata command.
 * @param finish takes the exit code of the command that ran
 */
export function createProgram(makeContext: ContextFactory, finish: (code: number) => void): Command {
  const program = new Command('strata')
    .description('Local context engine for OpenClaw agents: daemon, inspector, and what to do when something is wrong.')
    .version(productVersion)
    .showHelpAfterError('Run "npm run strata -- --help" for the commands.')
    .addHelpText(
      'after',
      '\nEvery command takes --json and --data-dir. The data directory is $STRATA_HOME, else ~/.strata.',
    );

  const command = (parent: Command, usage: string, description: string, isDefault = false): Command =>
    parent
      .command(usage, { isDefault })
      .description(description)
      .option('--json', 'print one JSON document')
      .option('--data-dir <dir>', 'data directory; default $STRATA_HOME, else ~/.strata');
  /** Runs an action with its context; an action that answers false found something wrong. */
  const action =
    <A extends unknown[]>(run: (context: CliContext, ...args: A) => Promise<boolean | void>) =>
    async (...all: unknown[]): Promise<void> => {
      // Commander hands over arguments, options and the command itself, in this order.
      const owner = all.pop() as Command;
      const outcome = await run(makeContext(owner.opts<GlobalOptions>()), ...(all as A));
      finish(outcome === false ? exitCodes.failed : exitCodes.ok);
    };

  command(program, 'daemon', 'run the engine with its HTTP endpoint and inspector, until Ctrl-C')
    .option('--port <port>', 'port on 127.0.0.1 instead of the configured one; 0 takes a free one', toCount)
    .action(action(runDaemon));
  command(program, 'status', 'is a daemon running, and does OpenClaw use it').action(action(statusCommand));
  command(program, 'doctor', 'check everything between OpenClaw and the database, with remedies')
    .option('--no-host', 'do not ask the openclaw program, which takes some seconds')
    .action(action(runDoctor));
  command(program, 'open', 'print a one-time link to the inspector, and open it where there is a screen')
    .option('--print', 'only print the link')
    .action(action((context, options: { print?: boolean }) => openCommand(context, options)));
  command(program, 'sessions', 'list sessions, last active first')
    .option('--limit <n>', 'how many', toLimit, 20)
    .option('--agent <id>', 'only of this agent')
    .action(action((context, options: SessionsOptions) => sessionsCommand(context, options)));
  command(program, 'calls [session]', 'list the assemble calls of a session; with --call, the decisions of one')
    .option('--limit <n>', 'how many', toLimit, 20)
    .option('--call <id>', 'one call instead of the list')
    .action(action(runCalls));
  command(program, 'compact <session>', 'archive the older turns of a session into a checkpoint')
    .showHelpAfterError(whichSession)
    .option('--budget <tokens>', 'budget to compact for', toBudget)
    .option('--instructions <text>', 'what the summary should keep in mind')
    .action(action((context, id: string, options: CompactOptions) => compactCommand(context, id, options)));
  command(program, 'expand <uri>', 'read what a summary, a synopsis or a turn stands for; takes a checkpoint id, too')
    .option('--query <words>', 'find what is about these words, the best first')
    .option('--limit <n>', 'most turns or passages', toExpandLimit, 6)
    .option('--range <range>', 'of one turn or tool result: "lines 10-80" or "characters 1-4000"')
    .option('--max-tokens <n>', 'size of the answer', toBudget)
    .option('--cursor <cursor>', 'go on where the answer before ended')
    .option('--user <id>', 'whose it is, where it is not of the configured user')
    .action(action((context, uri: string, options: ExpandOptions) => expandCommand(context, uri, options)));
  command(program, 'recall <query>', 'search memory as an agent does: pages, earlier messages and summaries')
    .option('--explain', 'show every candidate with the parts of its score, and why it was taken or not')
    .option('--limit <n>', 'most memories', toExpandLimit, 6)
    .option('--max-tokens <n>', 'what they may take together', toBudget, 2_000)
    .option('--kind <kind...>', 'only pages of these kinds')
    .option('--label <label...>', 'only what has one of these labels, or none')
    .option('--session-key <key>', 'see what this conversation may see')
    .option('--agent <id>', 'as this agent')
    .option('--user <id>', 'whose memory, where it is not of the configured user')
    .option('--inactive', 'superseded and retired pages, too')
    .action(action((context, query: string, options: RecallOptions) => recallCommand(context, query, options)));
  command(program, 'reindex', 'build the index of memory anew from the files and the log, and wait until it is there')
    .option('--no-wait', 'only start it')
    .option('--retry-dead', 'only try pages again that could not be indexed')
    .action(action((context, options: ReindexOptions) => reindexCommand(context, options)));
  command(program, 'mcp', 'serve the memory tools to an MCP client over standard input and output')
    .option('--agent <id>', 'as this agent')
    .option('--user <id>', 'whose memory, where it is not of the configured user')
    .option('--session-key <key>', 'see what this conversation may see')
    .action(action(runMcp));
  command(program, 'export <session>', 'write the transcript of a session as JSON lines')
    .showHelpAfterError(whichSession)
    .option('-o, --output <file>', 'file to write; default: standard output')
    .option('--force', 'overwrite the file')
    .action(
      action((context, id: string, options: { output?: string; force?: boolean }) =>
        exportCommand(context, id, options),
      ),
    );
  command(program, 'import <file>', 'take in a transcript that export wrote; "-" reads standard input').action(
    action((context, file: string) => importCommand(context, file)),
  );

  addCheckpointCommands(program, command, action);

  addPageCommands(program, command, action);

  const jobs = program.command('jobs').description('look after background work: list, show, retry, cancel');
  command(jobs, 'list', 'list background jobs, newest first', true)
    .option('--limit <n>', 'how many', toLimit, 20)
    .addOption(new Option('--state <state>', 'only in this state').choices(jobStateSchema.options))
    .option('--type <type>', 'only of this type')
    .option('--session <session>', 'only of this session')
    .action(action((context, options: JobsOptions) => jobsCommand(context, options)));
  command(jobs, 'show <job>', 'one job with its attempts').action(
    action((context, id: string) => showJobCommand(context, id)),
  );
  command(jobs, 'retry <job>', 'queue a dead or cancelled job anew, or begin a waiting one at once').action(
    action((context, id: string) => retryJobCommand(context, id)),
  );
  command(jobs, 'cancel <job>', 'cancel a queued job, ask a running one to stop, put a dead one aside').action(
    action((context, id: string) => cancelJobCommand(context, id)),
  );

  const memory = program.command('memory').description('what was judged about memory, and why: log, undo');
  command(memory, 'log', 'list the operations of memory, newest first', true)
    .option('--limit <n>', 'how many', toLimit, 20)
    .addOption(new Option('--action <action>', 'only those that ended so').choices(memoryActionSchema.options))
    .option('--page <uri>', 'only about this page')
    .option('--session <session>', 'only of this session')
    .action(action((context, options: MemoryLogOptions) => memoryLogCommand(context, options)));
  command(memory, 'undo <operation>', 'put the pages of one operation back as they were before it').action(
    action((context, id: string) => undoMemoryCommand(context, id)),
  );

  const openclaw = program.command('openclaw').description('connect OpenClaw with Strata, or take it off again');
  command(openclaw, 'install', 'install, enable and select the plugin in OpenClaw, after showing what will change')
    .option('-y, --yes', 'do not ask')
    .action(action((context, options: { yes?: boolean }) => installCommand(context, options)));
  command(openclaw, 'uninstall', 'take the plugin out and give the slot back')
    .option('-y, --yes', 'do not ask')
    .action(action((context, options: { yes?: boolean }) => uninstallCommand(context, options)));
  command(openclaw, 'status', 'is the plugin installed, enabled and selected').action(action(openClawStatusCommand));
  return program;
}

type AddCommand = (parent: Command, usage: string, description: string, isDefault?: boolean) => Command;
type AsAction = <A extends unknown[]>(
  run: (context: CliContext, ...args: A) => Promise<boolean | void>,
) => (...all: unknown[]) => Promise<void>;

function addCheckpointCommands(program: Command, command: AddCommand, action: AsAction): void {
  const checkpoints = program
    .command('checkpoints')
    .description('look at what compactions did, and undo or redo them: list, show, dissolve, restore, rerun');
  command(checkpoints, 'list <session>', 'list the checkpoints of a session, newest first', true)
    .showHelpAfterError(whichSession)
    .option('--limit <n>', 'how many', toLimit, 20)
    .action(action((context, id: string, options: { limit: number }) => checkpointsCommand(context, id, options)));
  command(checkpoints, 'show <checkpoint>', 'one checkpoint with its summary').action(
    action((context, id: string) => showCheckpointCommand(context, id)),
  );
  command(checkpoints, 'dissolve <checkpoint>', 'make the turns of a checkpoint raw again')
    .option('--preview', 'only say what would come of it')
    .action(action((context, id: string, options: { preview?: boolean }) => dissolveCommand(context, id, options)));
  command(checkpoints, 'restore <checkpoint>', 'let a dissolved or replaced checkpoint stand again')
    .option('--preview', 'only say what would come of it')
    .action(action((context, id: string, options: { preview?: boolean }) => restoreCommand(context, id, options)));
  command(checkpoints, 'rerun <checkpoint>', 'summarise the same turns anew')
    .option('--preview', 'only show the new summary')
    .addOption(new Option('--summariser <name>', 'who writes it').choices(['extractive', 'openai-compatible']))
    .addOption(new Option('--policy <policy>', 'identifiers to keep').choices(identifierPolicySchema.options))
    .option('--instructions <text>', 'what the summary should keep in mind')
    .action(action((context, id: string, options: RerunOptions) => rerunCommand(context, id, options)));
}

function addPageCommands(program: Command, command: AddCommand, action: AsAction): void {
  const pages = program
    .command('pages')
    .description('look at memory pages and change them: list, show, edit, history, restore, retire, forget');
  command(pages, 'list', 'list the Markdown files of the workspace, by path', true)
    .option('--limit <n>', 'how many', toLimit, 50)
    .option('--kind <kind>', 'only of this kind')
    .addOption(new Option('--status <status>', 'only in this state').choices(pageStatusSchema.options))
    .option('--prefix <path>', 'only paths that begin with it')
    .option('--user <id>', 'only of this user')
    .option('--agent <id>', 'only of this agent')
    .action(action((context, options: PagesOptions) => pagesCommand(context, options)));
  command(pages, 'show <page>', 'one page, by URI or path')
    .option('--at <version>', 'as it was in this version', toCount)
    .option('--raw', 'only the text of the file')
    .action(
      action((context, id: string, options: { at?: number; raw?: boolean }) => showPageCommand(context, id, options)),
    );
  command(pages, 'edit <page>', 'write what comes on standard input as the page, or as a new one')
    .option('--base <version>', 'refuse when the page is not in this version any more', toCount)
    .option('--reason <text>', 'why, for the history')
    .action(
      action((context, id: string, options: { base?: number; reason?: string }) =>
        editPageCommand(context, id, options),
      ),
    );
  command(pages, 'history <page>', 'all versions of a page, newest first')
    .option('--limit <n>', 'how many', toLimit, 20)
    .action(action((context, id: string, options: { limit: number }) => pageHistoryCommand(context, id, options)));
  command(pages, 'restore <page> <version>', 'write an earlier version of a page anew, byte for byte').action(
    action((context, id: string, version: string) => restorePageCommand(context, id, toCount(version))),
  );
  command(pages, 'retire <page>', 'keep a page, but recall it no longer')
    .option('--reason <text>', 'why, for the history')
    .action(action((context, id: string, options: { reason?: string }) => retirePageCommand(context, id, options)));
  command(pages, 'forget <page>', 'remove a page with all its versions, for good')
    .option('--confirm <title>', 'title or URI of the page, instead of being asked')
    .action(action((context, id: string, options: { confirm?: string }) => forgetPageCommand(context, id, options)));
}

// These two load the engine or the database library; the other commands start faster without them.
async function runDaemon(context: CliContext, options: { port?: number }): Promise<void> {
  const { daemonCommand } = await import('./commands/daemon-command.ts');
  return daemonCommand(context, options);
}

async function runDoctor(context: CliContext, options: { host: boolean }): Promise<boolean> {
  const { doctorCommand } = await import('./commands/doctor-command.ts');
  return doctorCommand(context, options);
}

async function runMcp(context: CliContext, options: McpOptions): Promise<void> {
  const { mcpCommand } = await import('./commands/mcp-command.ts');
  return mcpCommand(context, options);
}

async function runCalls(
  context: CliContext,
  session: string | undefined,
  options: { limit: number; call?: string },
): Promise<void> {
  if (options.call !== undefined) return callCommand(context, options.call);
  if (session === undefined)
    throw new InvalidArgumentError('Name a session ("npm run strata -- sessions" lists them), or a call with --call.');
  return callsCommand(context, session, options);
}

function toCount(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) throw new InvalidArgumentError('Expected a whole number.');
  return value;
}

function toBudget(text: string): number {
  const value = toCount(text);
  if (value < 1) throw new InvalidArgumentError('Expected at least 1 token.');
  return value;
}

function toExpandLimit(text: string): number {
  const value = toCount(text);
  if (value < 1 || value > 100) throw new InvalidArgumentError('Expected a number from 1 to 100.');
  return value;
}

function toLimit(text: string): number {
  const value = toCount(text);
  if (value < 1 || value > 1_000) throw new InvalidArgumentError('Expected a number from 1 to 1000.');
  return value;
}
