import { listChanges, type Change } from './list-changes.ts';
import { readInstallRecord } from './install-record.ts';
import { pluginId, withoutPlugin } from './plan-openclaw-config.ts';
import { readOpenClawConfig, type OpenClawConfigFile } from './read-openclaw-config.ts';
import { backUp, writeOpenClawConfig } from './write-openclaw-config.ts';
import type { JsonObject } from '../../../src-shared/model/json.ts';
import type { OpenClawPlace } from './find-openclaw.ts';

export type UninstallPlan =
  | { readonly kind: 'nothing-to-do' }
  | {
      readonly kind: 'change';
      readonly before: Extract<OpenClawConfigFile, { kind: 'json' }>;
      readonly next: JsonObject;
      readonly changes: readonly Change[];
    }
  | { readonly kind: 'by-hand'; readonly reason: string };

/** What taking the plugin out would change. Reads only. */
export async function planUninstall(place: OpenClawPlace, dataDir: string): Promise<UninstallPlan> {
  const before = await readOpenClawConfig(place.configPath);
  if (before.kind === 'missing') return { kind: 'nothing-to-do' };
  if (before.kind === 'not-json') return { kind: 'by-hand', reason: before.reason };
  const record = await readInstallRecord(dataDir);
  const mine = record?.configPath === place.configPath ? record : undefined;
  const slot = mine?.previousSlot === pluginId ? undefined : mine?.previousSlot;
  const next = withoutPlugin(before.value, { slot, disabled: mine?.disabled });
  const changes = listChanges(before.value, next);
  return changes.length === 0 ? { kind: 'nothing-to-do' } : { kind: 'change', before, next, changes };
}

/** Carries the plan out; answers where the copy of the file is. */
export async function uninstallPlugin(
  place: OpenClawPlace,
  plan: Extract<UninstallPlan, { kind: 'change' }>,
  now: Date,
): Promise<string> {
  const backup = await backUp(place.configPath, now);
  await writeOpenClawConfig(place.configPath, plan.before, plan.next);
  return backup;
}
