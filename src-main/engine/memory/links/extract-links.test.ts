import { describe, expect, it } from 'vitest';
import type { MemoryPage } from '../../../../src-shared/model/memory-page.ts';
import { extractLinks } from './extract-links.ts';

interface Given {
  readonly uri?: string;
  readonly title?: string;
  readonly text?: string;
  readonly matter?: string;
  readonly aliases?: readonly string[];
  readonly links?: MemoryPage['links'];
  readonly timeline?: MemoryPage['timeline'];
}

function pageOf(given: Given): MemoryPage {
  const { uri = 'strata://resources/notes/one', title = 'One', text = '', matter, aliases = [] } = given;
  return {
    ...{ uri, path: 'notes/one.md', kind: 'note', title, aliases: [...aliases], tags: [], scope: [] },
    ...{ visibility: 'private', status: 'active', pinned: false, version: 1, content_hash: '', size: 0 },
    ...{ created_at: '', updated_at: '', abstract: '', overview: '', sources: [] },
    ...{ truth: text, timeline: given.timeline ?? [], links: given.links ?? [] },
    content: matter === undefined ? text : `---\n${matter}\n---\n${text}`,
  };
}

/** `type>target` for what leads out, `type<target` for what leads in. */
function read(given: Given): string[] {
  return extractLinks(pageOf(given)).map(
    ({ type, to, alternatives = [], name, incoming }) =>
      `${type}${incoming === true ? '<' : '>'}${(alternatives.at(-1) ?? to).replace('strata://resources/', '') || String(name)}`,
  );
}

const person = { uri: 'strata://resources/people/lin', title: 'Lin Yao' };
const firm = { uri: 'strata://resources/companies/northwind', title: 'Northwind' };

describe('addresses', () => {
  it('resolves a markdown path by the folder of the page first, then by the workspace', () => {
    const [link] = extractLinks(pageOf({ text: 'See [Lin](people/lin.md#work).' }));
    expect(link).toEqual({
      to: 'strata://resources/notes/people/lin',
      alternatives: ['strata://resources/people/lin'],
      type: 'mentions',
      origin: 'text',
    });
  });

  it('resolves ../ from the page of a user to the page of the same user', () => {
    const uri = 'strata://user/ann/memories/entities/one';
    const [link] = extractLinks(pageOf({ uri, text: '[x](../events/launch%20day.md)' }));
    expect(link?.to).toBe('strata://user/ann/memories/events/launch%20day');
  });

  it('takes a path that climbs out of the workspace for no page', () => {
    expect(read({ text: '[x](../../../etc/passwd)' })).toEqual([]);
  });

  it('leaves out addresses of the web, mail, pictures and other files', () => {
    const text = '[a](https://x.org/y.md) [b](mailto:a@b.c) ![c](d.md) [e](f.png) [g](#h)';
    expect(read({ text })).toEqual([]);
  });

  it('keeps the URI of a page as it is', () => {
    const uri = 'strata://agent/main/memories/cases/a';
    expect(extractLinks(pageOf({ text: `[a](${uri})` }))[0]?.to).toBe(uri);
  });

  it('reads wiki links by name, by path and with another text', () => {
    expect(read({ text: '[[Lin Yao]] and [[people/ann|her]] and [[base:people/bo]]' })).toEqual([
      'mentions>Lin Yao',
      'mentions>people/ann',
      'mentions>people/bo',
    ]);
  });

  it('gives a wiki link by path the name in it as well', () => {
    expect(extractLinks(pageOf({ text: '[[people/ann]]' }))[0]?.name).toBe('ann');
  });

  it('names each link and relation once, and no mention beside a relation', () => {
    const text = 'See [N](/companies/n.md). He works at [N](/companies/n.md), and works at [N](/companies/n.md).';
    expect(read({ ...person, text })).toEqual(['works_at>companies/n']);
  });

  it('leaves out what stands in code', () => {
    const text = '```md\n[[A B]]\n```\n`[[C D]]` ``[[E ` F]]`` <!-- [[G H]] --> [[I J]]';
    expect(read({ text })).toEqual(['mentions>I J']);
  });

  it('reads the entries of the timeline', () => {
    expect(read({ timeline: [{ date: '2026-01-02', text: 'Saw [[Lin Yao]].' }] })).toEqual(['mentions>Lin Yao']);
  });

  it('G12: treats no folder as special', () => {
    expect(read({ text: '[x](/ops/node/links.md)' })).toEqual(['mentions>ops/node/links']);
  });
});

describe('front matter', () => {
  it('reads relations of the page and relations to it', () => {
    const matter = 'company: Northwind\nfounded: ["[[Acme]]"]\ninvestors: [Ann Lee, people/bo]';
    expect(read({ matter })).toEqual([
      'works_at>Northwind',
      'founded>Acme',
      'invested_in<Ann Lee',
      'invested_in<people/bo',
    ]);
  });

  it('reads attendees and key people, in English and Chinese', () => {
    expect(read({ matter: 'attendees: [Ann]\nkey_people: Bo\n参会人: [林遥]' })).toEqual([
      'attended<Ann',
      'works_at<Bo',
      'attended<林遥',
    ]);
  });

  it('reads typed links of the field links', () => {
    expect(read({ links: [{ to: '/people/ann.md', type: 'advises' }] })).toEqual(['advises>people/ann']);
  });

  it('ignores values that are no text, and fields of other names', () => {
    expect(read({ matter: 'company: {a: 1}\ncolour: Red\ninvestors: [[1, 2], null]' })).toEqual([]);
  });
});

describe('relations by the words around a link', () => {
  const acme = '[Acme](/companies/acme.md)';
  const ann = '[Ann](/people/ann.md)';
  const bo = '[Bo](/people/bo.md)';

  it.each([
    [`He works at ${acme}.`, 'works_at>companies/acme'],
    [`A senior engineer at ${acme} in Lisbon.`, 'works_at>companies/acme'],
    [`In 2020 she co-founded ${acme}.`, 'founded>companies/acme'],
    [`She is the founder of ${acme}.`, 'founded>companies/acme'],
    [`Lin invested early in ${acme}.`, 'invested_in>companies/acme'],
    [`She led the seed round of ${acme}.`, 'invested_in>companies/acme'],
    [`Lin advises ${acme}.`, 'advises>companies/acme'],
    [`She is an advisor to ${acme}.`, 'advises>companies/acme'],
    [`She reports to ${ann}.`, 'reports_to>people/ann'],
    [`林遥在2020年创立了${acme}。`, 'founded>companies/acme'],
    [`她就职于${acme}。`, 'works_at>companies/acme'],
    [`林遥投资了${acme}。`, 'invested_in>companies/acme'],
  ])('of a person: %s', (text, link) => {
    expect(read({ ...person, text })).toEqual([link]);
  });

  it.each([
    [`It was founded in 2021 by ${ann}.`, 'founded<people/ann'],
    [`Northwind raised two million from ${ann}.`, 'invested_in<people/ann'],
    [`Investors include ${ann}.`, 'invested_in<people/ann'],
    [`${ann} joined as head of sales.`, 'works_at<people/ann'],
    [`Our advisor ${ann} was there.`, 'advises<people/ann'],
    [`创始人是${ann}。`, 'founded<people/ann'],
    [`投资方包括${ann}。`, 'invested_in<people/ann'],
    [`${ann}投资了我们。`, 'invested_in<people/ann'],
  ])('of a firm: %s', (text, link) => {
    expect(read({ ...firm, text })).toEqual([link]);
  });

  it('says of all in a list what is said of it', () => {
    expect(read({ ...firm, text: `Backed by ${ann}, ${bo} and [Cy](/people/cy.md).` })).toEqual([
      'invested_in<people/ann',
      'invested_in<people/bo',
      'invested_in<people/cy',
    ]);
    expect(read({ ...firm, text: `${ann} and ${bo}, who both joined the seed round for us.` })).toEqual([
      'invested_in<people/ann',
      'invested_in<people/bo',
    ]);
  });

  it('says of the page nothing that is said of another', () => {
    const text = `${ann} founded ${acme}.`;
    expect(read({ uri: 'strata://resources/notes/news', title: 'News', text })).toEqual([
      'mentions>people/ann',
      'mentions>companies/acme',
    ]);
  });

  it.each([`She did not invest in ${acme}.`, `She declined to invest in ${acme}.`, `她没有投资${acme}。`])(
    'says nothing where it is denied: %s',
    (text) => {
      expect(read({ ...person, text })).toEqual(['mentions>companies/acme']);
    },
  );

  it('gives a second verb the subject of the first', () => {
    const text = `${ann} founded ${acme} and joined [Beta](/companies/beta.md).`;
    const uri = 'strata://resources/notes/news';
    expect(read({ uri, title: 'News', text }).filter((link) => !link.startsWith('mentions'))).toEqual([]);
  });

  it('never reads on into the next sentence', () => {
    expect(read({ ...person, text: `She invested. Later came ${acme}.` })).toEqual(['mentions>companies/acme']);
  });

  it('takes people who are linked on the page of a meeting for its guests', () => {
    const uri = 'strata://resources/meetings/kick-off';
    expect(read({ uri, title: 'Kick-off', text: `${ann} had doubts about ${acme}.` })).toEqual([
      'attended<people/ann',
      'mentions>companies/acme',
    ]);
  });

  it('reads what components use and depend on', () => {
    const uri = 'strata://resources/projects/ledger';
    const text = 'Ledger depends on [Vault](vault.md) and runs on [Nomad](nomad.md).';
    expect(read({ uri, title: 'Ledger', text }).map((link) => link.split('>')[0])).toEqual(['depends_on', 'uses']);
  });
});

describe('names without a link', () => {
  it('reads the name after a phrase', () => {
    expect(read({ ...person, text: 'She works at Northwind Trading now.' })).toContain('works_at>Northwind Trading');
  });

  it('takes the first word of a sentence and the page itself for no name', () => {
    expect(read({ ...person, text: 'Yesterday Lin Yao slept. Lin rested.' })).toEqual([]);
  });

  it('keeps a bounded number of names that stand in no relation', () => {
    const text = Array.from({ length: 500 }, (_, at) => `we saw Alpha Number${at} there`).join('. ');
    expect(extractLinks(pageOf({ text })).length).toBe(64);
  });
});

describe('hostile text', () => {
  // Each of these would take hours by a reader that is quadratic; the run ends only if none is.
  const size = 2_000_000;
  it.each([
    '[',
    '[[',
    '[a](',
    '[a](<',
    '[a](()',
    '`',
    '``` ',
    '<!--',
    'A',
    'A ',
    '. ',
    "'s",
    '投资了',
    '\n',
    '[[a|',
    '![',
  ])('is read in time linear in its length: %j again and again', (piece) => {
    expect(extractLinks(pageOf({ text: piece.repeat(size / piece.length) })).length).toBeLessThanOrEqual(5_000);
  });

  it('reads no more than its limit of links', () => {
    const text = Array.from({ length: 20_000 }, (_, at) => `[[Page ${at}]]`).join(' and ');
    expect(extractLinks(pageOf({ text })).length).toBe(5_000);
  });

  it('reads lone surrogates and names of 300 characters', () => {
    expect(read({ text: `[[${'x'.repeat(300)}]] \ud800 [[\udc00]]` })).toEqual([]);
  });
});
