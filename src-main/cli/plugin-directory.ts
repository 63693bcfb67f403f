import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../src-shared/model/engine-error.ts';

/**
 * The built plugin.
 * @throws EngineError `not_found` when it is not built
 */
export function pluginDirectory(root: string): string {
  const directory = join(root, 'out', 'openclaw-plugin');
  if (existsSync(join(directory, 'index.js')) && existsSync(join(directory, 'openclaw.plugin.json'))) return directory;
  throw new EngineError(
    'not_found',
    `The plugin is not built: ${directory} is missing or incomplete. Run: npm run build`,
  );
}
