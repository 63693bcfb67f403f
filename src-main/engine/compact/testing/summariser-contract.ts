import { describe, expect, it } from 'vitest';
import { createInlineTokenizer } from '../../../providers/tokenizer/create-inline-tokenizer.ts';
import { TokenCounter } from '../../tokens/token-counter.ts';
import { containsWhole } from '../contains-whole.ts';
import { mentionedIdentifiers } from '../rank-identifiers.ts';
import { readSummary } from '../read-summary.ts';
import { sectionNames, sectionTitles } from '../summary-sections.ts';
import type { Summariser, Summary, SummaryRequest } from '../summariser.ts';
import { chineseTalk, englishTalk } from './conversations.ts';

const counter = new TokenCounter(createInlineTokenizer());

const request = (given: Partial<SummaryRequest> = {}): SummaryRequest => ({
  turns: englishTalk,
  policy: 'strict',
  focus: '',
  abstractTokens: 60,
  overviewTokens: 200,
  ...given,
});

/** What every summariser must do, whoever writes; `open` is called within a running test. */
export function describeSummariser(name: string, open: () => Promise<Summariser>): void {
  const summarise = async (given: Partial<SummaryRequest> = {}): Promise<Summary> =>
    (await open()).summarise(request(given));

  describe(`${name}: a summary`, () => {
    it('has the fixed sections in their order and nothing else', async () => {
      const { overview } = await summarise({ subagents: [{ sessionKey: 'agent:main:subagent:a1', state: 'running' }] });
      const headings = overview.split('\n').filter((line) => line.startsWith('#'));
      const wanted = sectionNames.map((section) => `## ${sectionTitles[section]}`);
      expect(headings).toEqual(wanted.filter((heading) => headings.includes(heading)));
      expect(headings).toContain('## Decisions');
      expect(headings).toContain('## Pending requests');
      expect(overview.startsWith('## ')).toBe(true);
    });

    it('keeps what was decided and the rules that stand', async () => {
      const { lines } = readSummary((await summarise()).overview);
      expect(lines.decisions.join()).toContain('since backups already work with it');
      expect(lines.rules.join()).toMatch(/never deploy on a friday/i);
    });

    it('H42: the newest unresolved request comes first, others after it, and none that is finished or withdrawn', async () => {
      const { lines } = readSummary((await summarise()).overview);
      expect(lines.requests[0]).toMatch(/^Write a load test for the endpoint/);
      expect(lines.requests.join('\n')).not.toMatch(/find out why|status page/);
    });

    it('H42: finished work is marked as finished', async () => {
      const { lines } = readSummary((await summarise()).overview);
      expect(lines.facts.filter((line) => line.startsWith('[done]')).join()).toContain('find out why');
    });

    it('H43: carries the session key of every sub-agent that runs, and of no other', async () => {
      const { overview } = await summarise({
        policy: 'none',
        subagents: [
          { sessionKey: 'agent:main:subagent:5f0c2a', state: 'running' },
          { sessionKey: 'agent:main:subagent:77aa01', state: 'completed' },
        ],
      });
      const { lines } = readSummary(overview);
      expect(lines.subagents).toEqual([expect.stringContaining('agent:main:subagent:5f0c2a')]);
      expect(overview).not.toContain('77aa01');
    });

    it.each(['strict', 'relaxed', 'none'] as const)(
      'H38: policy %s: every identifier of the source is kept or told as lost, the kept ones word for word',
      async (policy) => {
        const summary = await summarise({ policy });
        const mentioned = (await mentionedIdentifiers(englishTalk, policy)).map(({ text }) => text);
        expect([...summary.identifiersKept, ...summary.identifiersLost].sort()).toEqual([...mentioned].sort());
        expect(summary.identifiersKept.filter((text) => !containsWhole(summary.overview, text))).toEqual([]);
        expect(summary.identifiersKept).toEqual(expect.arrayContaining([...summary.identifiersRepaired]));
        if (policy !== 'none') expect(summary.identifiersKept).toContain('src/store/open-store.ts:42');
      },
    );

    it('names turns that it does not speak of, of its own range only', async () => {
      const animals = 'zebra quagga okapi giraffe gazelle antelope '.repeat(40);
      const talk = [...englishTalk, { sequence: 99, role: 'tool' as const, text: animals, tool: 'read' }];
      const { overview, uncovered } = await summarise({ turns: talk, overviewTokens: 60 });
      expect(overview).not.toContain('okapi');
      expect(uncovered).toContain(99);
      expect(uncovered).not.toContain(13);
      expect(talk.map(({ sequence }) => sequence)).toEqual(expect.arrayContaining([...uncovered]));
    });

    it('is smaller than its source and about as long as asked for', async () => {
      const { overview, abstract } = await summarise({ abstractTokens: 40, overviewTokens: 100 });
      const source = await counter.texts(englishTalk.map(({ text }) => text));
      expect(await counter.text(overview)).toBeLessThan(source.reduce((sum, tokens) => sum + tokens, 0));
      expect(abstract).not.toBe('');
      expect(await counter.text(abstract)).toBeLessThanOrEqual(40 * 1.5);
    });

    it('is in the language of the conversation, and its identifiers stand in it', async () => {
      const { overview, fallback, identifiersKept } = await summarise({ turns: chineseTalk });
      expect(fallback).toBeUndefined();
      expect(overview).toContain('决定归档');
      expect(readSummary(overview).lines.requests[0]).toContain('压力测试');
      expect(identifiersKept).toEqual(
        expect.arrayContaining(['src/store/open-store.ts:42', 'openStore()', 'db.internal:5432', '9fceb02d0ae598e9']),
      );
    });

    it('folds several summaries into one that keeps what stands and drops what was settled since', async () => {
      const first =
        '## Decisions\n- We decided to use SQLite.\n\n## Pending requests\n- Add the retention job.\n- Draw the architecture diagram.\n\n## Exact identifiers\nsrc/jobs/retention.ts\n\n## What happened\n- The user explained the product at length, and why the archive must survive a crash of the machine, whatever it costs in speed.\n- Somebody measured the start of the daemon on an old laptop and found it quick enough for everyday work.';
      const second =
        '## Pending requests\n- Translate the handbook into Chinese.\n\n## What happened\n- [done] Add the retention job.\n- The tests of the store were moved beside the code and run twice as fast now.';
      const { overview, identifiersKept, uncovered } = await summarise({
        turns: [],
        abstractTokens: 20,
        overviewTokens: 70,
        previous: [
          { uri: 'strata://a', overview: first },
          { uri: 'strata://b', overview: second },
        ],
      });
      const { lines } = readSummary(overview);
      expect(lines.decisions.join()).toContain('decided to use SQLite');
      expect(lines.requests[0]).toContain('Translate the handbook');
      expect(lines.requests.join()).toContain('architecture diagram');
      expect(lines.requests.join()).not.toContain('retention');
      expect(identifiersKept).toContain('src/jobs/retention.ts');
      expect(uncovered).toEqual([]);
    });

    it('S62: is refused without a source', async () => {
      await expect(summarise({ turns: [] })).rejects.toMatchObject({ code: 'nothing_to_summarise' });
    });

    it('S54: is given up when the caller gives up', async () => {
      await expect(summarise({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
    });

    it('S58: has no reasoning in it', async () => {
      const talk = [...englishTalk, { sequence: 50, role: 'assistant' as const, text: 'Fine.', tool: undefined }];
      expect((await summarise({ turns: talk })).overview).not.toMatch(/<think|let me think/i);
    });

    it('is the same for the same turns', async () => {
      const summariser = await open();
      expect(await summariser.summarise(request())).toEqual(await summariser.summarise(request()));
    });
  });
}
