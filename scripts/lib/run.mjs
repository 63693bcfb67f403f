import { spawn } from 'node:child_process';
import { childEnvironment } from './pinned-node.mjs';
import { root } from './root.mjs';

/**
 * Runs a program to its end. With `capture` its output is also returned; it is always shown.
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: { ...childEnvironment(), ...options.env },
      stdio: ['inherit', options.capture ? 'pipe' : 'inherit', options.capture ? 'pipe' : 'inherit'],
    });
    let output = '';
    const collect = (target) => (chunk) => {
      output += chunk;
      target.write(chunk);
    };
    child.stdout?.on('data', collect(process.stdout));
    child.stderr?.on('data', collect(process.stderr));
    const forward = (signal) => child.kill(signal);
    process.on('SIGTERM', forward).on('SIGINT', forward);
    const timer = options.timeoutMs
      ? setTimeout(() => {
          process.stdout.write(
            `\nStopped after ${options.timeoutMs / 1000} s without an end: ${command} ${args.join(' ')}\n`,
          );
          child.kill('SIGKILL');
        }, options.timeoutMs)
      : undefined;
    const settle = () => {
      clearTimeout(timer);
      process.off('SIGTERM', forward).off('SIGINT', forward);
    };
    child.on('error', (error) => {
      settle();
      reject(error);
    });
    child.on('close', (code, signal) => {
      settle();
      resolve({ code: code ?? (signal ? 128 : 1), output });
    });
  });
}
