import type { HostPluginApi } from './host-types.ts';
import { registerStrata } from './register-strata.ts';

/**
 * What OpenClaw loads. The object that `definePluginEntry` of its SDK would make; written out, the bundle needs nothing
 * of the host to be evaluated, and works the same on every generation of it.
 */
const plugin = {
  id: 'strata',
  name: 'Strata',
  description: 'Local context engine: every turn kept losslessly, every context decision on record',
  register: (api: HostPluginApi): void => registerStrata(api),
};

export default plugin;
