import { spawn } from 'node:child_process';
import { inspectorLinkRoute } from '../../../src-shared/protocol/inspector-session.ts';
import type { CliContext } from '../cli-context.ts';

/** Prints a one-time link to the inspector and opens it where there is a screen. */
export async function openCommand(context: CliContext, options: { readonly print?: boolean }): Promise<void> {
  const link = await context.client.call(inspectorLinkRoute);
  const opened = !options.print && !context.json && openBrowser(link.url, context.env);
  if (context.json) context.print(JSON.stringify({ ...link, opened }));
  else context.print(link.url);
  if (opened) context.note('Opening it in your browser …');
  else if (!context.json) context.note(`It works once, until ${new Date(link.expires_at).toLocaleTimeString()}.`);
}

function openBrowser(url: string, env: NodeJS.ProcessEnv): boolean {
  const program = browserProgram(env);
  if (program === undefined) return false;
  const [command, ...args] = program;
  const child = spawn(command, [...args, url], { detached: true, stdio: 'ignore' });
  child.on('error', () => undefined); // the link was printed: a missing opener costs nothing
  child.unref();
  return true;
}

function browserProgram(env: NodeJS.ProcessEnv): readonly [string, ...string[]] | undefined {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : undefined;
}
