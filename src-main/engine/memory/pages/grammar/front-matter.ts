import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseDocument,
  stringify,
  visit,
  type Alias,
  type Document,
  type Node,
  type Pair,
} from 'yaml';
import { lineEndOf } from './lines-of.ts';

/** Longer front matter is no front matter of a memory (characters). */
export const longestFrontMatter = 65_536;

export type FrontMatterResult =
  | { readonly status: 'read'; readonly frontMatter: FrontMatter }
  /** One value and no fields: two rules around a line of prose. */
  | { readonly status: 'no-fields' }
  | { readonly status: 'bad'; readonly code: string; readonly message: string };

/**
 * The fields of a page's front matter, and a way to change single ones that leaves the bytes of all others, of comments
 * and of the order as they are.
 */
export class FrontMatter {
  readonly #yaml: string;
  readonly #document: Document.Parsed;
  readonly #pairs: ReadonlyMap<string, Pair>;
  #targets: ReadonlyMap<Alias, Node> | undefined;

  private constructor(yaml: string, document: Document.Parsed, pairs: ReadonlyMap<string, Pair>) {
    this.#yaml = yaml;
    this.#document = document;
    this.#pairs = pairs;
  }

  static read(yaml: string): FrontMatterResult {
    if (yaml.length > longestFrontMatter) {
      return bad(
        'front_matter_too_long',
        `The front matter has ${yaml.length} characters; at most ${longestFrontMatter} are read.`,
      );
    }
    try {
      return FrontMatter.#parse(yaml);
    } catch (error) {
      // Nesting without an end overflows the parser's stack; whatever else it throws is about this text, too.
      return bad('bad_front_matter', `The front matter cannot be read: ${firstLine(error)}`);
    }
  }

  static #parse(yaml: string): FrontMatterResult {
    // The library compares each key with every other one; here they are compared by a set.
    const document = parseDocument(yaml, { uniqueKeys: false, version: '1.2', schema: 'core' });
    const [error] = document.errors;
    if (error) return bad('bad_front_matter', `The front matter is no YAML: ${firstLine(error)}`);
    const { contents } = document;
    const pairs = new Map<string, Pair>();
    if (contents === null) return { status: 'read', frontMatter: new FrontMatter(yaml, document, pairs) };
    if (!isMap(contents)) return isScalar(contents) && yaml.trim() !== '' ? { status: 'no-fields' } : noMap();
    for (const pair of contents.items) {
      const name = isScalar(pair.key) ? scalarText(pair.key) : undefined;
      if (name === undefined) return bad('bad_front_matter', 'The front matter has a key that is no plain text.');
      if (pairs.has(name))
        return bad('bad_front_matter', `The front matter has the key ${JSON.stringify(name)} twice.`);
      pairs.set(name, pair);
    }
    return { status: 'read', frontMatter: new FrontMatter(yaml, document, pairs) };
  }

  get keys(): readonly string[] {
    return [...this.#pairs.keys()];
  }

  has(name: string): boolean {
    return this.#pairs.has(name);
  }

  /** As it is written where it is a date, a number or a truth value: `2024-06-01`, `1.10`, `007`. */
  text(name: string): string | undefined {
    const text = asText(this.#resolved(name));
    return text === undefined || text === '' ? undefined : text;
  }

  flag(name: string): boolean | undefined {
    const node = this.#resolved(name);
    return isScalar(node) && typeof node.value === 'boolean' ? node.value : undefined;
  }

  /** A list, or one value that stands for a list of one; parts that are no plain values are left out. */
  texts(name: string): string[] {
    const node = this.#resolved(name);
    const items = isSeq(node) ? node.items.map((item) => asText(this.#target(item))) : [asText(node)];
    return items.filter((item) => item !== undefined).filter((item) => item !== '');
  }

  /** Plain data; undefined where the key is missing or the value cannot be unfolded. */
  value(name: string): unknown {
    const node = this.#resolved(name);
    if (!isNode(node)) return undefined;
    try {
      return node.toJS(this.#document, { maxAliasCount: 100 }) as unknown;
    } catch {
      // Aliases that would unfold into millions: the value is left out, the text stays as it is.
      return undefined;
    }
  }

  /** The YAML with these fields changed; undefined takes one out. What is equal already stays as it is written. */
  with(changes: ReadonlyMap<string, unknown>): string {
    const lineEnd = lineEndOf(this.#yaml);
    const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
    const added: string[] = [];
    for (const [name, value] of changes) {
      const pair = this.#pairs.get(name);
      if (!pair) {
        if (value !== undefined) added.push(field(name, value, lineEnd));
        continue;
      }
      if (value !== undefined && isEqual(this.value(name), value)) continue;
      const place = this.#placeOf(pair, value === undefined);
      if (place === undefined) return this.#rewritten(changes);
      edits.push({ ...place, text: value === undefined ? '' : field(name, value, lineEnd).trimEnd() });
    }
    if (edits.length === 0 && added.length === 0) return this.#yaml;
    let text = this.#yaml;
    for (const edit of edits.sort((a, b) => b.start - a.start)) {
      text = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
    }
    if (added.length > 0 && text !== '' && !/[\r\n]$/.test(text)) text += lineEnd;
    text += added.join('');
    return FrontMatter.read(text).status === 'read' ? text : this.#rewritten(changes);
  }

  /** From the key to the end of its value; with the rest of the line where the whole field goes. */
  #placeOf(pair: Pair, wholeLine: boolean): { readonly start: number; readonly end: number } | undefined {
    const { contents } = this.#document;
    const key = isNode(pair.key) ? pair.key.range : undefined;
    const value = isNode(pair.value) ? pair.value.range : undefined;
    if (!key || !value || (isMap(contents) && contents.flow === true)) return undefined;
    let end = Math.max(value[1], key[1]);
    while (end > key[1] && /\s/.test(this.#yaml.charAt(end - 1))) end -= 1;
    if (this.#yaml[end] === ':') end += 1;
    if (!wholeLine) return { start: key[0], end };
    while (end < this.#yaml.length && this.#yaml[end] !== '\n') end += 1;
    return { start: key[0], end: Math.min(end + 1, this.#yaml.length) };
  }

  /** For forms that cannot be changed in place (`{a: 1, b: 2}`, values that others refer to). */
  #rewritten(changes: ReadonlyMap<string, unknown>): string {
    const document = this.#document.clone();
    for (const [name, value] of changes) {
      if (value === undefined) document.delete(name);
      else document.set(name, value);
    }
    const text = document.toString({ lineWidth: 0 });
    return lineEndOf(this.#yaml) === '\n' ? text : text.replaceAll(/\r?\n/g, '\r\n');
  }

  #resolved(name: string): unknown {
    return this.#target(this.#pairs.get(name)?.value);
  }

  #target(node: unknown): unknown {
    if (!isAlias(node)) return node;
    this.#targets ??= targetsIn(this.#document);
    return this.#targets.get(node);
  }
}

/** What each alias stands for: the last node before it with that anchor. The library walks the whole document for each one. */
function targetsIn(document: Document.Parsed): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        if (target) targets.set(node, target);
      } else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return targets;
}

function field(name: string, value: unknown, lineEnd: string): string {
  const text = stringify({ [name]: value }, { lineWidth: 0, version: '1.2', schema: 'core' });
  return lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd);
}

function asText(node: unknown): string | undefined {
  return isScalar(node) ? scalarText(node) : undefined;
}

function scalarText(node: { readonly value: unknown; readonly source?: string }): string | undefined {
  if (typeof node.value === 'string') return node.value.toWellFormed().trim();
  if (node.value === null || node.value === undefined) return undefined;
  const isPlain = typeof node.value === 'number' || typeof node.value === 'boolean';
  return node.source ?? (isPlain ? String(node.value) : undefined);
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function noMap(): FrontMatterResult {
  return bad('bad_front_matter', 'Expected fields such as "title: …" in the front matter, got a list.');
}

function bad(code: string, message: string): FrontMatterResult {
  return { status: 'bad', code, message };
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split('\n')[0] ?? '').replace(/:$/, '').slice(0, 300);
}
