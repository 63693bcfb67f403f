import type { JsonObject } from '../../../src-shared/model/json.ts';
import { listChanges, type Change } from './list-changes.ts';
import { newlyDisabled, selectedEngine, withPlugin, type PluginSettings } from './plan-openclaw-config.ts';
import { readOpenClawConfig, type OpenClawConfigFile } from './read-openclaw-config.ts';
import { runOpenClaw } from './run-openclaw.ts';
import { backUp, writeOpenClawConfig } from './write-openclaw-config.ts';
import { writeInstallRecord } from './install-record.ts';
import type { OpenClawPlace } from './find-openclaw.ts';

export type InstallPlan =
  | { readonly kind: 'nothing-to-do' }
  | { readonly kind: 'change'; readonly before: EditableConfig; readonly changes: readonly Change[] }
  /** The file cannot be rewritten without loss; `target` is what a person must make of it. */
  | { readonly kind: 'by-hand'; readonly reason: string; readonly target: JsonObject };

type EditableConfig = Extract<OpenClawConfigFile, { kind: 'missing' | 'json' }>;

export interface InstallReport {
  readonly backup: string | undefined;
  /** `openclaw`: its own installer ran and recorded the consent; `file`: only the configuration was written. */
  readonly by: 'openclaw' | 'file';
  /** What the host's installer said when it failed; the configuration was then written without it. */
  readonly hostProblem: string | undefined;
}

/** What an installation would change. Reads only. */
export async function planInstall(place: OpenClawPlace, settings: PluginSettings): Promise<InstallPlan> {
  const before = await readOpenClawConfig(place.configPath);
  if (before.kind === 'not-json') return { kind: 'by-hand', reason: before.reason, target: withPlugin({}, settings) };
  const value = before.kind === 'json' ? before.value : undefined;
  const changes = listChanges(value, withPlugin(value ?? {}, settings));
  return changes.length === 0 ? { kind: 'nothing-to-do' } : { kind: 'change', before, changes };
}

/**
 * Carries the plan out: a copy of the file, the host's own installer where there is one, then the keys it does not set.
 * @throws EngineError when the file cannot be written
 */
export async function installPlugin(
  place: OpenClawPlace,
  settings: PluginSettings,
  plan: Extract<InstallPlan, { kind: 'change' }>,
  options: { readonly dataDir: string; readonly now: Date },
): Promise<InstallReport> {
  const found = plan.before.kind === 'json' ? plan.before.value : {};
  const firstBackup = plan.before.kind === 'json' ? await backUp(place.configPath, options.now) : undefined;
  const hostProblem =
    place.program === undefined ? undefined : await installThroughHost(place.program, settings.pluginDir);
  const present = await readOpenClawConfig(place.configPath);
  const before = present.kind === 'not-json' ? plan.before : present;
  const value = before.kind === 'json' ? before.value : {};
  const next = withPlugin(value, settings);
  if (listChanges(value, next).length > 0) {
    await writeOpenClawConfig(place.configPath, before, next);
  }
  await writeInstallRecord(options.dataDir, {
    configPath: place.configPath,
    previousSlot: selectedEngine(found),
    disabled: newlyDisabled(found, next),
    backup: firstBackup,
  });
  return {
    backup: firstBackup,
    by: place.program !== undefined && hostProblem === undefined ? 'openclaw' : 'file',
    hostProblem,
  };
}

/** Undefined on success, else what the host said. Hosts before 2026.8 do not know the consent option. */
async function installThroughHost(program: string, pluginDir: string): Promise<string | undefined> {
  const plain = ['plugins', 'install', '-l', pluginDir];
  const first = await runOpenClaw(program, [...plain, '--force', '--accept-capabilities']);
  if (first.code === 0) return undefined;
  const unknownOption = /unknown option|not supported/i.test(first.stderr + first.stdout);
  const last = unknownOption ? await runOpenClaw(program, plain) : first;
  return last.code === 0 ? undefined : lastLines(last.stderr || last.stdout);
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-3).join('\n');
}
