import { spawn } from 'node:child_process';

export interface OpenClawRun {
  /** Exit code; undefined when the program did not start or was stopped at its time limit. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the host's own program without a terminal. It takes 5 to 20 seconds for anything. */
export function runOpenClaw(program: string, args: readonly string[], limitMs = 120_000): Promise<OpenClawRun> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
    let stdout = '';
    let stderr = '';
    let stopped = false;
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const timer = setTimeout(() => {
      stopped = true;
      stderr += `\nStopped: no answer within ${limitMs / 1000} s.`;
      child.kill('SIGKILL');
    }, limitMs);
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ code: undefined, stdout, stderr: `${stderr}${error.message}` });
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code: stopped ? undefined : (code ?? undefined), stdout, stderr });
    });
  });
}
