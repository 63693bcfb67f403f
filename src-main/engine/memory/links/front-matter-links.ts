import type { PageLink } from '../../../../src-shared/model/memory-page.ts';
import type { IndexedLink } from '../../ports/memory-index.ts';
import { FrontMatter } from '../pages/grammar/front-matter.ts';
import { splitFrontMatter } from '../pages/grammar/split-front-matter.ts';
import { readTarget } from './read-target.ts';
import { relationTypes } from './relation-types.ts';

interface Field {
  readonly type: string;
  readonly incoming: boolean;
}

const fieldByName: ReadonlyMap<string, Field> = new Map(
  relationTypes.flatMap(({ type, fields }) => [
    ...fields.object.map((name): [string, Field] => [name, { type, incoming: false }]),
    ...fields.subject.map((name): [string, Field] => [name, { type, incoming: true }]),
  ]),
);

/** The field `links`, and fields whose name is a relation (`company`, `investors`, `attendees`), in either direction. */
export function frontMatterLinks(content: string, links: readonly PageLink[], uri: string): readonly IndexedLink[] {
  const written = links.flatMap(({ to, type }) => linkTo(to, { type, incoming: false }, uri));
  const matter = readFrontMatter(content);
  const fields = (matter?.keys ?? []).flatMap((key) => {
    const field = fieldByName.get(
      key
        .trim()
        .toLowerCase()
        .replaceAll(/[\s-]+/g, '_'),
    );
    if (!field || key === 'links' || (key === 'sources' && matter)) return [];
    return (matter?.texts(key) ?? []).flatMap((text) => linkTo(text, field, uri));
  });
  return [...written, ...fields];
}

/** The `type` that front matter gives; other programs write it where a kind stands here. */
export function frontMatterType(content: string): string | undefined {
  const matter = readFrontMatter(content);
  return matter?.text('type') ?? matter?.text('kind');
}

function linkTo(text: string, { type, incoming }: Field, uri: string): readonly IndexedLink[] {
  const target = readTarget(text, uri);
  return target ? [{ ...target, type, origin: 'front_matter', ...(incoming && { incoming }) }] : [];
}

function readFrontMatter(content: string): FrontMatter | undefined {
  const { yaml } = splitFrontMatter(content);
  if (!yaml) return undefined;
  const result = FrontMatter.read(content.slice(yaml.start, yaml.end));
  return result.status === 'read' ? result.frontMatter : undefined;
}
