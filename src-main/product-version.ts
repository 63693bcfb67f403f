import manifest from '../package.json' with { type: 'json' };

/** Version of the product, as package.json has it; the plugin and the daemon must be of one version. */
export const productVersion: string = manifest.version;
