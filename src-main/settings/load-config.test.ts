import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configSchema } from '../../src-shared/model/config.ts';
import { EngineError } from '../../src-shared/model/engine-error.ts';
import { temporaryDirectory } from '../http/testing/temporary-directory.ts';
import { defaultConfigText } from './default-config-text.ts';
import { createConfigFile, loadConfig, parseConfig } from './load-config.ts';

const defaults = configSchema.parse({});

function refusal(text: string): EngineError {
  try {
    parseConfig(text, 'config.yaml');
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('expected a refusal');
}

describe('config.yaml', () => {
  it('means the defaults when it is missing', async () => {
    expect(await loadConfig(await temporaryDirectory())).toEqual(defaults);
  });

  it('changes what it names and keeps the rest', () => {
    const config = parseConfig('port: 0\nassemble:\n  recent_raw_turn_count: 3\n', 'x');
    expect(config).toEqual({ ...defaults, port: 0, assemble: { ...defaults.assemble, recent_raw_turn_count: 3 } });
  });

  it.each(['', '# nothing\n', 'assemble:\n', 'assemble: ~\nlimits:\n  # all default\n', '---\n', '{}'])(
    'means the defaults when it says %j',
    (text) => {
      expect(parseConfig(text, 'x')).toEqual(defaults);
    },
  );

  it.each([
    ['port: many', 1, 'port', 'expected number, got "many"'],
    ['port: 99999', 1, 'port', 'got 99999'],
    ['user_id: ""\n', 1, 'user_id', 'got ""'],
    ['\n\nassemble:\n  deadline_ms: 0\n', 4, 'assemble.deadline_ms', 'got 0'],
    ['compaction:\n  identifier_policy: loose\n', 2, 'compaction.identifier_policy', '"strict"|"relaxed"|"none"'],
    ['strategy:\n  agents:\n    coder: 3\n', 3, 'strategy.agents.coder', 'expected string, got 3'],
    ['assemble: 7\n', 1, 'assemble', 'expected object, got 7'],
    ['prot: 7717\n', 1, 'prot', 'unknown; known here: port, user_id'],
    ['limits:\n  body_bites: 1\n', 2, 'limits.body_bites', 'known here: body_bytes, messages_body_bytes'],
  ])('refuses %j with line, key, what was expected and what came', (text, line, key, hint) => {
    const error = refusal(text);
    expect(error.code).toBe('invalid_config');
    expect(error.details).toEqual({ path: 'config.yaml', key, line });
    expect(error.message).toContain(`config.yaml, line ${line}: ${key}: `);
    expect(error.message).toContain(hint);
  });

  it.each(['a: [', 'port: 1\nport: 2\n', '\tport: 1', 'a: *nowhere', '- 1', 'just text', '"__proto__": {port: 1}'])(
    'refuses %j',
    (text) => {
      expect(refusal(text).code).toBe('invalid_config');
    },
  );

  it('does not unfold aliases without end', () => {
    const lines = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 9; i += 1) lines.push(`k${i}: &k${i} [${`*${i === 1 ? 'a' : `k${i - 1}`}, `.repeat(9)}]`);
    expect(refusal(lines.join('\n')).code).toBe('invalid_config');
  });

  it('cannot be read with a typed error that names it', async () => {
    const dataDir = await temporaryDirectory();
    await mkdir(join(dataDir, 'config.yaml'));
    await expect(loadConfig(dataDir)).rejects.toMatchObject({ code: 'data_dir_blocked' });
  });
});

describe('the config.yaml of a first start', () => {
  it('is made for its owner only, and means the defaults', async () => {
    const dataDir = await temporaryDirectory();
    expect(await createConfigFile(dataDir)).toBe('created');
    expect((await stat(join(dataDir, 'config.yaml'))).mode & 0o777).toBe(0o600);
    expect(await loadConfig(dataDir)).toEqual(defaults);
  });

  it('never replaces one that is there', async () => {
    const dataDir = await temporaryDirectory();
    await writeFile(join(dataDir, 'config.yaml'), 'port: 0\n');
    expect(await createConfigFile(dataDir)).toBe('present');
    expect(await readFile(join(dataDir, 'config.yaml'), 'utf8')).toBe('port: 0\n');
  });

  it('shows every key with its default: without the signs it says the same', () => {
    const uncommented = defaultConfigText()
      .split('\n')
      .filter((line) => /^\s*(# )?[a-z_]+:/.test(line))
      .map((line) => line.replace('# ', ''));
    expect(parseConfig(uncommented.join('\n'), 'x')).toEqual(defaults);
    const keysIn = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? Object.values(value).reduce<number>((sum, inner) => sum + 1 + keysIn(inner), 0)
        : 0;
    expect(uncommented).toHaveLength(keysIn(defaults));
  });

  it('explains every key', () => {
    const lines = defaultConfigText().split('\n');
    const unexplained = lines.filter((line, index) => {
      const isSetting = /^\s*# [a-z_]+: /.test(line);
      return isSetting && !/^\s*# [A-Z]/.test(lines[index - 1] ?? '');
    });
    expect(unexplained).toEqual([]);
  });

  it('says so when the directory cannot be written', async () => {
    const dataDir = await temporaryDirectory();
    await expect(createConfigFile(join(dataDir, 'missing'))).rejects.toMatchObject({ code: 'data_dir_blocked' });
  });
});
