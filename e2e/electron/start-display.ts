import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Display {
  readonly name: string;
  stop(): Promise<void>;
}

/** The display of this machine, else a virtual one of our own. */
export async function startDisplay(): Promise<Display> {
  const present = process.env['DISPLAY'];
  if (present) return { name: present, stop: () => Promise.resolve() };
  const args = ['-displayfd', '3', '-screen', '0', '1920x1080x24', '-nolisten', 'tcp'];
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const failed = once(server, 'error').then(([error]) => {
    throw new Error(`Xvfb could not be started (${String(error)}). On Debian: apt-get install xvfb xauth`);
  });
  const channel = server.stdio[3];
  if (!channel) throw new Error('Xvfb has no channel to tell its number by.');
  const [number] = (await Promise.race([once(channel, 'data'), failed])) as [Buffer];
  return {
    name: `:${number.toString().trim()}`,
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
    },
  };
}
