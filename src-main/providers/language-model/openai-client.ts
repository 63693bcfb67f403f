import type { OpenAI } from 'openai';
import { limitedFetch } from './limited-fetch.ts';

export interface ClientSettings {
  readonly base_url: string;
  readonly retries: number;
  readonly timeout_ms: number;
}

/**
 * The official client, for the configured address only. Loaded when it is first needed: most data directories have no
 * endpoint.
 */
export async function openAiClient(settings: ClientSettings, apiKey: string): Promise<OpenAI> {
  const { OpenAI: Client } = await import('openai');
  const { base_url, retries, timeout_ms } = settings;
  return new Client({
    baseURL: base_url,
    apiKey: apiKey || 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: retries,
    timeout: timeout_ms,
    // Without these, variables of the environment could add headers or print prompts.
    logLevel: 'off',
    defaultHeaders: withoutForeignHeaders(apiKey),
    fetchOptions: { redirect: 'manual' },
    fetch: limitedFetch,
  });
}

const noise = ['Arch', 'Lang', 'OS', 'Package-Version', 'Runtime', 'Runtime-Version', 'Retry-Count', 'Timeout'];

/** Nothing about the machine; no key where there is none; nothing from OPENAI_CUSTOM_HEADERS. */
function withoutForeignHeaders(apiKey: string): Record<string, string | null> {
  const custom = (process.env['OPENAI_CUSTOM_HEADERS'] ?? '').split('\n').flatMap((line) => {
    const name = line.slice(0, Math.max(0, line.indexOf(':'))).trim();
    return name === '' ? [] : [name];
  });
  return {
    ...Object.fromEntries(custom.map((name) => [name, null])),
    ...Object.fromEntries(noise.map((name) => [`X-Stainless-${name}`, null])),
    'User-Agent': 'strata',
    ...(apiKey === '' ? { Authorization: null } : {}),
  };
}
