import { runCli, terminalAsk } from './run-cli.ts';

const ask = terminalAsk(process.stdin, process.stderr);
// `strata sessions | head` closes the pipe early; that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  ...(ask ? { ask } : {}),
  now: () => new Date(),
});
