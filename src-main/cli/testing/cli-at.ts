import { runCli } from '../run-cli.ts';

export interface CliOutcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command on the data directory as it is then, with nothing else of this machine's environment. */
export function cliAt(dataDir: () => string): (...args: string[]) => Promise<CliOutcome> {
  return async (...args) => {
    const home = dataDir();
    let out = '';
    let err = '';
    const code = await runCli(args, {
      env: { HOME: home, STRATA_HOME: home, PATH: '/nonexistent' },
      stdout: (text) => (out += text),
      stderr: (text) => (err += text),
      now: () => new Date(),
      root: home,
    });
    return { code, out, err };
  };
}
