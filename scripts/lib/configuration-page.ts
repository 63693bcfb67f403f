import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { configSchema } from '../../src-shared/model/config.ts';

interface Row {
  readonly key: string;
  readonly fallback: string;
  readonly meaning: string;
}

const manifestSchema = z.object({
  configSchema: z.object({ properties: z.record(z.string(), z.object({ description: z.string().optional() })) }),
});

/** docs/configuration.md, made of the schemas themselves, so that it cannot say anything else. */
export function configurationPage(root: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'src-plugin/openclaw.plugin.json'), 'utf8'));
  const plugin = Object.entries(manifestSchema.parse(manifest).configSchema.properties);
  return `<!-- Made by "npm run docs" from src-shared/model/config.ts and src-plugin/openclaw.plugin.json; edit those. -->

# Configuration

## The daemon: \`config.yaml\`

The file lies in the data directory (\`$STRATA_HOME\`, else \`~/.strata\`). The first start writes it with every key
commented out, so that the defaults apply. It is read at the start of the daemon; unknown keys and wrong values are
refused with the line and what was expected.

${table(daemonRows())}

Environment: \`STRATA_HOME\` names the data directory; \`STRATA_ELECTRON\` names an Electron program for the desktop app.

## The plugin: \`plugins.entries.strata.config\` in \`openclaw.json\`

\`npm run strata -- openclaw install\` sets \`dataDir\`; everything else is optional. Keys without a description
are accepted so that existing configurations stay valid, and have no effect yet.

| key | meaning |
|---|---|
${plugin.map(([key, { description }]) => `| \`${key}\` | ${cell(description ?? '–')} |`).join('\n')}
`;
}

function daemonRows(): readonly Row[] {
  const schema: unknown = z.toJSONSchema(configSchema, { io: 'input' });
  return rowsOf(nodeSchema.parse(schema), '');
}

interface Node {
  readonly default?: unknown;
  readonly description?: string | undefined;
  readonly properties?: Readonly<Record<string, Node>> | undefined;
}

const nodeSchema: z.ZodType<Node> = z.lazy(() =>
  z.object({
    default: z.unknown().optional(),
    description: z.string().optional(),
    properties: z.record(z.string(), nodeSchema).optional(),
  }),
);

function rowsOf(node: Node, prefix: string): readonly Row[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) => {
    const key = `${prefix}${name}`;
    if (child.properties !== undefined && child.description === undefined) return rowsOf(child, `${key}.`);
    return [{ key, fallback: JSON.stringify(child.default), meaning: child.description ?? '' }];
  });
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(({ key, fallback, meaning }) => `| \`${key}\` | \`${fallback}\` | ${cell(meaning)} |`);
  return ['| key | default | meaning |', '|---|---|---|', ...lines].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
