import manifest from './package.json' with { type: 'json' };

export const pluginVersion: string = manifest.version;
