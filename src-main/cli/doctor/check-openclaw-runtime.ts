import { z } from 'zod';
import type { OpenClawPlace } from '../openclaw/find-openclaw.ts';
import { pluginId } from '../openclaw/plan-openclaw-config.ts';
import { runOpenClaw, type OpenClawRun } from '../openclaw/run-openclaw.ts';
import { failed, ok, warning, type Check } from './check.ts';

const inspectionSchema = z.object({
  plugin: z.object({
    status: z.string().optional(),
    enabled: z.boolean().optional(),
    activated: z.boolean().optional(),
    error: z.string().optional(),
    version: z.string().optional(),
  }),
  diagnostics: z.array(z.object({ message: z.string().optional() })).optional(),
});

/** Asks OpenClaw itself, which knows more than its configuration: load errors, consent to the plugin's capabilities. */
export async function checkOpenClawRuntime(place: OpenClawPlace): Promise<readonly Check[]> {
  if (place.program === undefined) return [];
  return [readInspection(await runOpenClaw(place.program, ['plugins', 'inspect', pluginId, '--json'], 60_000))];
}

/** Exported for its tests: what the host's answer means. */
export function readInspection(run: OpenClawRun): Check {
  const install = 'Run: npm run strata -- openclaw install';
  const said = `${run.stderr}\n${run.stdout}`;
  if (/capability consent/i.test(said)) {
    return failed(
      'openclaw_consent',
      'OpenClaw waits for your consent to what the plugin can do, and does not load it before.',
      'Run: openclaw plugins enable strata --accept-capabilities',
    );
  }
  const inspection = inspectionSchema.safeParse(parseJson(run.stdout));
  if (run.code !== 0 || !inspection.success) {
    const line = lastLine(run.stderr) ?? messageIn(run.stdout) ?? lastLine(run.stdout) ?? 'no output';
    if (/not found|unknown plugin/i.test(said))
      return failed('openclaw_plugin', `OpenClaw does not know the plugin: ${line}`, install);
    return warning(
      'openclaw_plugin',
      `OpenClaw could not be asked about the plugin: ${line}`,
      'Try: openclaw plugins inspect strata',
    );
  }
  const { plugin, diagnostics } = inspection.data;
  const active = plugin.activated ?? plugin.enabled ?? true;
  if (plugin.error !== undefined || (plugin.status !== undefined && plugin.status !== 'loaded') || !active) {
    const why = plugin.error ?? diagnostics?.[0]?.message ?? `its status is "${plugin.status ?? 'not activated'}"`;
    return failed('openclaw_plugin', `OpenClaw does not run the plugin: ${why}`, install);
  }
  return ok('openclaw_plugin', `OpenClaw loads the plugin${plugin.version ? ` (version ${plugin.version})` : ''}.`);
}

function parseJson(text: string): unknown {
  const start = text.indexOf('{');
  try {
    return start < 0 ? undefined : JSON.parse(text.slice(start));
  } catch {
    return undefined; // told as "could not be asked", with what it said
  }
}

const failureSchema = z.object({
  error: z.union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)]),
});

/** With --json the host answers a failure as an object, too. */
function messageIn(text: string): string | undefined {
  const failure = failureSchema.safeParse(parseJson(text));
  return failure.success ? failure.data.error : undefined;
}

/** The last line that says something: brackets alone do not. */
function lastLine(text: string): string | undefined {
  return text
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => /[\p{L}\p{N}]/u.test(line));
}
