import { z } from 'zod';

/** What each section of `config.yaml` that names an endpoint of OpenAI's kind has. Empty `base_url`: there is none. */
export const endpointFields = {
  base_url: z
    .union([
      z.literal(''),
      z.url({ protocol: /^https?$/, error: 'expected an address that begins with http:// or https://' }),
    ])
    .default(''),
  model: z.string().max(200).default(''),
  api_key: z.string().max(2_000).default('').describe('Key of the endpoint; better put it into api_key_env'),
  api_key_env: z
    .string()
    .regex(/^(?:[A-Za-z_][A-Za-z0-9_]*)?$/, 'expected the name of an environment variable')
    .default('')
    .describe('Name of the environment variable that holds the key'),
};

interface Endpoint {
  readonly base_url: string;
  readonly api_key: string;
  readonly api_key_env: string;
}

type Rule = [holds: (endpoint: Endpoint) => boolean, otherwise: { path: PropertyKey[]; error: string }];

/** For `refine`: what holds, and what is said where it does not. */
export const oneKey: Rule = [
  ({ api_key, api_key_env }) => api_key === '' || api_key_env === '',
  { path: ['api_key_env'], error: 'expected only one of api_key and api_key_env' },
];

/** Addresses are shown in messages; a password in one would be, too. */
export const plainAddress: Rule = [
  ({ base_url }) => !/^[a-z]+:\/\/[^/?#]*@/i.test(base_url),
  {
    path: ['base_url'],
    error: 'expected an address without a name and password; put the key into api_key or api_key_env',
  },
];
