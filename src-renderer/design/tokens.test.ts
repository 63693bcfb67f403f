import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

type Tokens = ReadonlyMap<string, string>;

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const [lightText = '', darkText = ''] = css.split(":root[data-theme='dark']");
const light = read(lightText);
const themes: readonly (readonly [string, Tokens])[] = [
  ['light', light],
  ['dark', new Map([...light, ...read(darkText)])],
];
const texts = ['text-1', 'text-2', 'text-3', 'accent', 'danger', 'warn'];
const surfaces = ['bg', 'surface', 'surface-2', 'surface-hover', 'accent-soft'];
const pairs = texts.flatMap((text) => surfaces.map((surface) => [text, surface] as const));

/** WCAG 2.2, level AA, for text of ordinary size. */
const aa = 4.5;

describe.each(themes)('the %s theme', (_name, tokens) => {
  it.each(pairs)('%s can be read on %s', (text, surface) => {
    expect(contrast(tokens, text, surface)).toBeGreaterThanOrEqual(aa);
  });

  it.each([
    ['warn', 'warn-soft'],
    ['danger', 'danger-soft'],
    ['accent-ink', 'accent'],
  ])('%s can be read on %s', (text, surface) => {
    expect(contrast(tokens, text, surface)).toBeGreaterThanOrEqual(aa);
  });

  it('the letter of every kind can be read on its colour, and no two kinds share one', () => {
    const kinds = [...tokens.keys()].filter((name) => name.startsWith('kind-') && name !== 'kind-ink');
    expect(kinds).toHaveLength(8);
    for (const kind of kinds) expect(contrast(tokens, 'kind-ink', kind), kind).toBeGreaterThanOrEqual(aa);
    expect(new Set(kinds.map((kind) => tokens.get(kind))).size).toBe(kinds.length);
  });
});

function read(text: string): Tokens {
  return new Map(
    Array.from(text.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g), ([, name = '', value = '']) => [name, value]),
  );
}

function contrast(tokens: Tokens, one: string, other: string): number {
  const [lighter = 0, darker = 0] = [one, other].map((name) => luminance(tokens.get(name))).sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string | undefined): number {
  if (colour === undefined) throw new Error('No such token');
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = parseInt(colour.slice(start, start + 2), 16) / 255;
    return channel <= 0.03928 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
