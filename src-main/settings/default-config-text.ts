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
    lines.push(...described(name, schema, value, ''));
  }
  return `${lines.join('\n')}\n`;
}

/** A setting, or a section of settings, which themselves may be sections. */
function described(name: string, schema: z.core.$ZodType, value: unknown, indent: string): string[] {
  const section = sectionOf(schema);
  if (!section) return entry(name, schema, value, indent);
  const shape: Readonly<Record<string, z.core.$ZodType>> = section.shape;
  const inner = Object.entries(shape).flatMap(([key, one]) =>
    described(key, one, isObject(value) ? value[key] : undefined, `${indent}  `),
  );
  return [`${indent}${name}:`, ...inner];
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
