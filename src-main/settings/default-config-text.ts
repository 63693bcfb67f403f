import { stringify } from 'yaml';
import { z } from 'zod';
import { configSchema } from '../../src-shared/model/config.ts';

/** The text of a new `config.yaml`: every key with its meaning and default, commented out. */
export function defaultConfigText(): string {
  const defaults = configSchema.parse({});
  const lines = [
    '# Settings of Strata. Every key is shown with its default; remove the "#" before a key to change it.',
    '# Strata reads this file when it starts. Unknown keys are refused.',
  ];
  for (const [name, schema] of Object.entries(configSchema.shape)) {
    const value: unknown = Reflect.get(defaults, name);
    lines.push('');
    const section = sectionOf(schema);
    if (!section) {
      lines.push(...entry(name, schema, value, ''));
      continue;
    }
    lines.push(`${name}:`);
    const shape: Readonly<Record<string, z.core.$ZodType>> = section.shape;
    for (const [key, inner] of Object.entries(shape)) {
      lines.push(...entry(key, inner, isObject(value) ? value[key] : undefined, '  '));
    }
  }
  return `${lines.join('\n')}\n`;
}

function entry(name: string, schema: z.core.$ZodType, value: unknown, indent: string): string[] {
  const description = schema instanceof z.ZodType ? schema.description : undefined;
  const setting = stringify({ [name]: value }, { collectionStyle: 'flow', lineWidth: 0 }).trim();
  // `collectionStyle: flow` also wraps the outer map; take its braces off.
  const plain = setting.replace(/^\{\s*/, '').replace(/\s*\}$/, '');
  return [...(description ? [`${indent}# ${description}`] : []), `${indent}# ${plain}`];
}

function sectionOf(schema: z.core.$ZodType): z.ZodObject | undefined {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault) {
    const inner = schema.unwrap();
    return inner instanceof z.ZodObject ? inner : undefined;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
