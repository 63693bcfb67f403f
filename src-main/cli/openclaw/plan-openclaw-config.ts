import type { Json, JsonObject } from '../../../src-shared/model/json.ts';
import { isObject } from './read-openclaw-config.ts';

/** Id of the plugin and of the engine that it registers. */
export const pluginId = 'strata';

export interface PluginSettings {
  /** Absolute path of the built plugin. */
  readonly pluginDir: string;
  /** Keys of `plugins.entries.strata.config` that must have these values; others are left as they are. */
  readonly config: JsonObject;
}

/** What openclaw.json must say so that OpenClaw loads, permits and selects the plugin. Everything else stays. */
export function withPlugin(before: JsonObject, settings: PluginSettings): JsonObject {
  const plugins = objectAt(before, 'plugins');
  const load = objectAt(plugins, 'load');
  const entries = objectAt(plugins, 'entries');
  const entry = objectAt(entries, pluginId);
  const config = { ...objectAt(entry, 'config'), ...settings.config };
  return {
    ...before,
    plugins: {
      ...plugins,
      ...(plugins['enabled'] === false ? { enabled: true } : {}),
      ...(plugins['allow'] === undefined ? {} : { allow: withItem(listAt(plugins, 'allow'), pluginId) }),
      ...(plugins['deny'] === undefined ? {} : { deny: listAt(plugins, 'deny').filter((id) => id !== pluginId) }),
      load: { ...load, paths: withPath(listAt(load, 'paths'), settings.pluginDir) },
      entries: {
        ...entries,
        [pluginId]: {
          ...entry,
          enabled: true,
          hooks: { ...objectAt(entry, 'hooks'), allowConversationAccess: true },
          ...(Object.keys(config).length > 0 ? { config } : {}),
        },
      },
      slots: { ...objectAt(plugins, 'slots'), contextEngine: pluginId },
    },
  };
}

/** What an installation displaced. */
export interface Displaced {
  readonly slot?: string | undefined;
  /** Other plugins that OpenClaw switched off, because only one can hold the slot. */
  readonly disabled?: readonly string[] | undefined;
}

/** The reverse: takes the plugin out and gives the slot back to what held it before. */
export function withoutPlugin(before: JsonObject, displaced: Displaced): JsonObject {
  const plugins = objectAt(before, 'plugins');
  const load = objectAt(plugins, 'load');
  const { [pluginId]: _entry, ...entries } = objectAt(plugins, 'entries');
  const { contextEngine, ...slots } = objectAt(plugins, 'slots');
  const slot = contextEngine === pluginId ? displaced.slot : contextEngine;
  const { plugins: _plugins, ...rest } = before;
  const next = withoutEmpty({
    ...plugins,
    allow: plugins['allow'] === undefined ? undefined : listAt(plugins, 'allow').filter((id) => id !== pluginId),
    load: withoutEmpty({ ...load, paths: listAt(load, 'paths').filter((path) => !isPluginPath(path)) }),
    entries: withoutEmpty({ ...entries, ...enabledAgain(entries, displaced.disabled ?? []) }),
    slots: withoutEmpty({ ...slots, contextEngine: slot }),
  });
  return Object.keys(next).length === 0 ? rest : { ...before, plugins: next };
}

/** Ids of the plugins that `after` switches off and `before` did not. */
export function newlyDisabled(before: JsonObject, after: JsonObject): readonly string[] {
  const entriesOf = (config: JsonObject): JsonObject => objectAt(objectAt(config, 'plugins'), 'entries');
  return Object.keys(entriesOf(after)).filter(
    (id) =>
      objectAt(entriesOf(after), id)['enabled'] === false &&
      id in entriesOf(before) &&
      objectAt(entriesOf(before), id)['enabled'] !== false,
  );
}

function enabledAgain(entries: JsonObject, ids: readonly string[]): JsonObject {
  const known = ids.filter((id) => objectAt(entries, id)['enabled'] === false);
  return Object.fromEntries(known.map((id) => [id, { ...objectAt(entries, id), enabled: true }]));
}

/** Without the keys that say nothing any more. */
function withoutEmpty(object: { readonly [key: string]: Json | undefined }): JsonObject {
  const full = Object.entries(object).filter(
    (entry): entry is [string, Json] =>
      entry[1] !== undefined && !(isList(entry[1]) && entry[1].length === 0) && !isEmptyObject(entry[1]),
  );
  return Object.fromEntries(full);
}

function isEmptyObject(value: Json): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** What holds the slot of the context engine; undefined where the host's default does. */
export function selectedEngine(config: JsonObject): string | undefined {
  const value = objectAt(objectAt(config, 'plugins'), 'slots')['contextEngine'];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

export function objectAt(parent: JsonObject, key: string): JsonObject {
  const value = parent[key];
  return isObject(value) ? value : {};
}

export function listAt(parent: JsonObject, key: string): readonly Json[] {
  const value = parent[key];
  return isList(value) ? value : [];
}

/** Any build of this plugin, also one of another clone: two of them under one id would be a conflict. */
export function isPluginPath(path: Json): boolean {
  return typeof path === 'string' && /[\\/]out[\\/]openclaw-plugin[\\/]?$/.test(path);
}

function withPath(paths: readonly Json[], dir: string): readonly Json[] {
  if (paths.filter((path) => path === dir || isPluginPath(path)).every((path) => path === dir) && paths.includes(dir)) {
    return paths;
  }
  return [...paths.filter((path) => path !== dir && !isPluginPath(path)), dir];
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function withItem(list: readonly Json[], item: string): readonly Json[] {
  return list.includes(item) ? list : [...list, item];
}
