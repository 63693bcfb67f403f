import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { readRecallOptions, type RecallOptions } from './recall-options.ts';
import { defaultNewThresholdCharacters } from '../src-shared/synopsis/large-result.ts';

/** What the plugin does with its configuration; keys that have no behaviour yet are not here. */
export interface PluginConfig {
  readonly mode: 'local' | 'remote';
  /** Absolute path of the daemon's data directory; the spool is in it. */
  readonly dataDir: string;
  readonly baseUrl: string | undefined;
  readonly port: number | undefined;
  readonly apiKey: string | undefined;
  readonly agentId: string | undefined;
  /** Longest time an assemble may take (ms). */
  readonly assembleTimeoutMs: number;
  /** Longest time of the calls that store something (ms). */
  readonly storeTimeoutMs: number;
  readonly autoCapture: boolean;
  readonly memoryExpandMaxResults: number;
  /** False: tool results are left to the host, which cuts large ones for good. */
  readonly externaliseToolResults: boolean;
  /** Tool results with more characters are stored whole and replaced by a synopsis. */
  readonly toolResultThresholdChars: number;
  /** What was set of recall, by the keys of the earlier plugin; what is not here is the daemon's to decide. */
  readonly recall: RecallOptions;
  /** Newest turns that nothing pushes out. */
  readonly recentRawTurnCount: number | undefined;
  /** Share of the budget at which a session is compacted in the background; undefined: as the daemon is configured. */
  readonly compactThreshold: number | undefined;
}

const defaultAssembleTimeoutMs = 2_500;

/**
 * Reads the host's `plugins.entries.strata.config`. The host checked it against the manifest; older hosts do not, so
 * a value of the wrong type counts as absent.
 */
export function readPluginConfig(
  raw: Readonly<Record<string, unknown>> | undefined,
  env: Readonly<Record<string, string | undefined>>,
): PluginConfig {
  const text = (key: string): string | undefined => {
    const value = raw?.[key];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  const whole = (key: string, min: number, max: number): number | undefined => {
    const value = raw?.[key];
    return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? value : undefined;
  };
  const assembleTimeoutMs = whole('timeoutMs', 50, 120_000) ?? defaultAssembleTimeoutMs;
  return {
    mode: text('mode') === 'remote' ? 'remote' : 'local',
    dataDir: dataDirectory(text('dataDir') ?? besideConfig(text('configPath')) ?? env['STRATA_HOME']?.trim()),
    baseUrl: text('baseUrl')?.replace(/\/+$/, ''),
    port: whole('port', 1, 65_535),
    apiKey: text('apiKey'),
    agentId: text('agentId'),
    assembleTimeoutMs,
    storeTimeoutMs: assembleTimeoutMs * 4,
    autoCapture: raw?.['autoCapture'] !== false,
    memoryExpandMaxResults: whole('memoryExpandMaxResults', 1, 100) ?? 6,
    externaliseToolResults: raw?.['externaliseToolResults'] !== false,
    toolResultThresholdChars: whole('toolResultThresholdChars', 1_000, 10_000_000) ?? defaultNewThresholdCharacters,
    recall: readRecallOptions(raw),
    recentRawTurnCount: whole('recentRawTurnCount', 1, 10_000),
    compactThreshold: shareOf(raw?.['compactCommitThreshold']),
  };
}

/** The daemon's `config.yaml` lies in its data directory; a file of another name is the earlier plugin's own. */
function besideConfig(path: string | undefined): string | undefined {
  return path !== undefined && basename(path) === 'config.yaml' ? dirname(path) : undefined;
}

function shareOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined;
}

function dataDirectory(named: string | undefined): string {
  if (!named) return join(homedir(), '.strata');
  if (named === '~' || named.startsWith('~/')) return join(homedir(), named.slice(1));
  return resolve(named);
}
