import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { JsonObject } from '../../../src-shared/model/json.ts';
import type { OpenClawPlace } from '../openclaw/find-openclaw.ts';
import { isPluginPath, listAt, objectAt, pluginId, selectedEngine } from '../openclaw/plan-openclaw-config.ts';
import type { OpenClawConfigFile } from '../openclaw/read-openclaw-config.ts';
import { failed, ok, warning, type Check } from './check.ts';

const install = 'Run: npm run strata -- openclaw install';

/** What openclaw.json says: is the plugin installed, permitted, enabled and selected. */
export function checkOpenClawConfig(place: OpenClawPlace, file: OpenClawConfigFile, dataDir: string): readonly Check[] {
  if (file.kind === 'missing') {
    const found = place.program === undefined ? 'OpenClaw was not found' : 'OpenClaw is installed but not configured';
    const remedy = `${install} (OPENCLAW_STATE_DIR or OPENCLAW_CONFIG_PATH name another place). Without OpenClaw nothing is to be done.`;
    return [warning('openclaw', `${found}: there is no ${place.configPath}.`, remedy)];
  }
  if (file.kind === 'not-json') {
    return [
      warning(
        'openclaw',
        `${place.configPath} cannot be checked, because it is not plain JSON (${file.reason}).`,
        '"npm run strata -- openclaw install" prints what must be in it.',
      ),
    ];
  }
  const plugins = objectAt(file.value, 'plugins');
  const entry = objectAt(objectAt(plugins, 'entries'), pluginId);
  return [
    checkInstalled(plugins),
    checkEnabled(plugins, entry),
    checkHooks(entry),
    checkSelected(file.value),
    ...checkPointsHere(entry, dataDir),
  ];
}

function checkInstalled(plugins: JsonObject): Check {
  const paths = listAt(objectAt(plugins, 'load'), 'paths').filter(
    (path): path is string => typeof path === 'string' && isPluginPath(path),
  );
  const [first] = paths;
  if (first === undefined) return failed('plugin_installed', 'The plugin is not installed in OpenClaw.', install);
  const missing = ['openclaw.plugin.json', 'index.js'].find((name) => !existsSync(join(first, name)));
  if (missing !== undefined) {
    return failed(
      'plugin_installed',
      `OpenClaw loads the plugin from ${first}, where ${missing} is missing.`,
      'Run: npm run build',
    );
  }
  if (paths.length > 1) {
    return warning(
      'plugin_installed',
      `OpenClaw loads the plugin from ${paths.length} folders: ${paths.join(', ')}.`,
      install,
    );
  }
  return ok('plugin_installed', `The plugin is installed from ${first}.`);
}

function checkEnabled(plugins: JsonObject, entry: JsonObject): Check {
  const why =
    plugins['enabled'] === false
      ? 'plugins.enabled is false: OpenClaw loads no plugin at all'
      : listAt(plugins, 'deny').includes(pluginId)
        ? 'plugins.deny names it'
        : listAt(plugins, 'allow').length > 0 && !listAt(plugins, 'allow').includes(pluginId)
          ? 'plugins.allow does not name it'
          : entry['enabled'] !== true
            ? 'plugins.entries.strata.enabled is not true'
            : undefined;
  if (why === undefined) return ok('plugin_enabled', 'The plugin is enabled.');
  return failed('plugin_enabled', `The plugin is not enabled: ${why}.`, install);
}

function checkHooks(entry: JsonObject): Check {
  if (objectAt(entry, 'hooks')['allowConversationAccess'] === true) {
    return ok('plugin_hooks', 'The plugin may see model calls (hooks.allowConversationAccess).');
  }
  return warning(
    'plugin_hooks',
    'The plugin may not see model calls: token counts are not corrected, and turns that bypass Strata go unnoticed.',
    `${install} (it sets plugins.entries.strata.hooks.allowConversationAccess)`,
  );
}

function checkSelected(config: JsonObject): Check {
  const selected = selectedEngine(config);
  if (selected === pluginId) return ok('plugin_selected', 'Strata is the selected context engine.');
  const instead = selected === undefined ? 'its default engine' : `"${selected}"`;
  return failed('plugin_selected', `OpenClaw uses ${instead}: plugins.slots.contextEngine is not "strata".`, install);
}

/** The plugin must look for the daemon where this command does. */
function checkPointsHere(entry: JsonObject, dataDir: string): readonly Check[] {
  const config = objectAt(entry, 'config');
  const named = config['dataDir'];
  if (typeof named === 'string' && resolve(named) !== resolve(dataDir)) {
    return [
      warning(
        'plugin_data_dir',
        `The plugin uses the data directory ${named}, this command ${dataDir}.`,
        `${install}, or run this with STRATA_HOME=${named}`,
      ),
    ];
  }
  return [];
}
