import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { JsonObject } from '../../../src-shared/model/json.ts';
import { prepareDataDirectory } from '../../settings/data-directory.ts';
import { pluginDirectory } from '../plugin-directory.ts';
import type { CliContext } from '../cli-context.ts';
import { checkOpenClawConfig } from '../doctor/check-openclaw-config.ts';
import { findOpenClaw, type OpenClawPlace } from '../openclaw/find-openclaw.ts';
import { installPlugin, planInstall } from '../openclaw/install-plugin.ts';
import { describeChange, type Change } from '../openclaw/list-changes.ts';
import type { PluginSettings } from '../openclaw/plan-openclaw-config.ts';
import { readOpenClawConfig } from '../openclaw/read-openclaw-config.ts';
import { planUninstall, uninstallPlugin } from '../openclaw/uninstall-plugin.ts';
import { describeChecks } from '../doctor/describe-checks.ts';

interface Consent {
  readonly yes?: boolean;
}

/** Shows what will change in openclaw.json, asks, and changes it. */
export async function installCommand(context: CliContext, options: Consent): Promise<void> {
  const place = findOpenClaw(context.env);
  const settings = pluginSettings(context);
  const plan = await planInstall(place, settings);
  if (plan.kind === 'by-hand') throw mustBeDoneByHand(place, plan.reason, plan.target);
  if (plan.kind === 'nothing-to-do') {
    if (context.json) context.print(JSON.stringify({ changed: false, config: place.configPath }));
    else context.print(`OpenClaw already uses Strata: ${place.configPath} has all it needs.`);
    return;
  }
  showChanges(context, place, plan.changes);
  if (place.program !== undefined) {
    context.note(
      `${place.program} installs it and records your consent to what the plugin can do; that takes 10 to 30 seconds.`,
    );
  }
  if (!(await isAgreed(context, options))) return;
  await prepareDataDirectory(context.dataDir);
  const report = await installPlugin(place, settings, plan, { dataDir: context.dataDir, now: context.now() });
  if (report.hostProblem !== undefined) {
    context.note(
      `OpenClaw's own installer did not do it, so only the configuration was written. It said:\n${report.hostProblem}`,
    );
  }
  if (context.json) {
    context.print(JSON.stringify({ changed: true, config: place.configPath, changes: plan.changes, ...report }));
    return;
  }
  context.print(`Done.${report.backup ? ` The file as it was: ${report.backup}` : ''}`);
  context.print(
    'Restart the OpenClaw gateway (openclaw gateway restart), send a message, then look: npm run strata -- doctor',
  );
}

/** Takes out what `install` put in, and gives the slot back. */
export async function uninstallCommand(context: CliContext, options: Consent): Promise<void> {
  const place = findOpenClaw(context.env);
  const plan = await planUninstall(place, context.dataDir);
  if (plan.kind === 'by-hand') {
    throw new EngineError(
      'invalid_config',
      `${place.configPath} is not plain JSON (${plan.reason}) and was left untouched. Remove from it by hand: plugins.entries.strata, the path that ends in out/openclaw-plugin under plugins.load.paths, and plugins.slots.contextEngine if it is "strata".`,
    );
  }
  if (plan.kind === 'nothing-to-do') {
    if (context.json) context.print(JSON.stringify({ changed: false, config: place.configPath }));
    else context.print(`There is nothing of Strata in ${place.configPath}.`);
    return;
  }
  showChanges(context, place, plan.changes);
  if (!(await isAgreed(context, options))) return;
  const backup = await uninstallPlugin(place, plan, context.now());
  if (context.json) {
    context.print(JSON.stringify({ changed: true, config: place.configPath, changes: plan.changes, backup }));
    return;
  }
  context.print(`Done. The file as it was: ${backup}`);
  context.print(`Restart the OpenClaw gateway. Your data stays in ${context.dataDir}.`);
}

/** What openclaw.json says of the plugin; answers whether it is installed, enabled and selected. */
export async function openClawStatusCommand(context: CliContext): Promise<boolean> {
  const place = findOpenClaw(context.env);
  const checks = checkOpenClawConfig(place, await readOpenClawConfig(place.configPath), context.dataDir);
  const installed = checks.some((check) => check.id === 'plugin_selected') && checks.every((c) => c.state !== 'failed');
  if (context.json) {
    context.print(JSON.stringify({ installed, config: place.configPath, program: place.program ?? null, checks }));
  } else {
    context.print(
      `Configuration: ${place.configPath}\nProgram: ${place.program ?? 'not on the PATH'}\n\n${describeChecks(checks)}`,
    );
  }
  return installed;
}

/** The directory is always named: OpenClaw may run as a service with another environment. */
function pluginSettings(context: CliContext): PluginSettings {
  return { pluginDir: pluginDirectory(context.root), config: { dataDir: context.dataDir } };
}

function showChanges(context: CliContext, place: OpenClawPlace, changes: readonly Change[]): void {
  const lines = changes.map((change) => `  ${describeChange(change)}`);
  context.note([`Changes in ${place.configPath}:`, ...lines].join('\n'));
}

async function isAgreed(context: CliContext, options: Consent): Promise<boolean> {
  if (options.yes) return true;
  if (!context.canAsk) {
    throw new EngineError('invalid_request', 'Nothing was changed. This is not a terminal; use --yes.');
  }
  if (await context.confirm('Make these changes?')) return true;
  throw new EngineError('invalid_request', 'Nothing was changed. Answer "y", or run it again with --yes.');
}

function mustBeDoneByHand(place: OpenClawPlace, reason: string, target: JsonObject): EngineError {
  return new EngineError(
    'invalid_config',
    `${place.configPath} is not plain JSON (${reason}); rewriting it would destroy its comments, so it was left untouched. Put this into it by hand, beside what is there:\n${JSON.stringify(target, null, 2)}`,
    { details: { config: place.configPath, add: target } },
  );
}
