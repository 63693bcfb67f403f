import { describe, expect, it } from 'vitest';
import { findRequests } from './find-requests.ts';
import { knownRequests, repairRequests } from './pending-requests.ts';
import type { SourceTurn } from './summariser.ts';

type Said = readonly [role: SourceTurn['role'], text: string];

function talk(...said: readonly Said[]): readonly SourceTurn[] {
  return said.map(([role, text], index) => ({ sequence: index + 1, role, text, tool: undefined }));
}

const states = async (...said: readonly Said[]): Promise<string[]> =>
  (await findRequests(talk(...said))).map(({ state }) => state);

describe('H42: what became of a request', () => {
  it.each([
    ['no answer', 'pending', [['user', 'Fix the login.']]],
    [
      'only a tool call',
      'pending',
      [
        ['user', 'Fix the login.'],
        ['tool', 'done'],
      ],
    ],
    [
      'said to be done',
      'finished',
      [
        ['user', 'Fix the login.'],
        ['assistant', 'I fixed it.'],
      ],
    ],
    [
      'done in Chinese',
      'finished',
      [
        ['user', '请修复登录。'],
        ['assistant', '已经修好了。'],
      ],
    ],
    [
      'said not to be done',
      'pending',
      [
        ['user', 'Fix the login.'],
        ['assistant', 'It is not fixed yet.'],
        ['user', 'The weather is fine.'],
      ],
    ],
    [
      'not done in Chinese',
      'pending',
      [
        ['user', '请修复登录。'],
        ['assistant', '还没有修好，缺少权限。'],
        ['user', '今天天气不错。'],
      ],
    ],
    [
      'done, after something failed first',
      'finished',
      [
        ['user', 'Fix the login.'],
        ['assistant', 'The first try failed. Now it is fixed.'],
      ],
    ],
    [
      'done, and then failing',
      'pending',
      [
        ['user', 'Fix the login.'],
        ['assistant', 'I added a guard. The test is still failing.'],
        ['user', 'The weather is fine.'],
      ],
    ],
    [
      'done, with a next step',
      'finished',
      [
        ['user', 'Fix the login.'],
        ['assistant', 'I fixed it. Next I will look at the tests.'],
      ],
    ],
    [
      'only announced',
      'pending',
      [
        ['user', 'Fix the login.'],
        ['assistant', 'I will look at it.'],
        ['user', 'The weather is fine.'],
      ],
    ],
    [
      'a question with an answer',
      'finished',
      [
        ['user', 'Which port is it?'],
        ['assistant', 'It is 8080.'],
      ],
    ],
    [
      'a question answered by a question',
      'pending',
      [
        ['user', 'Which port is it?'],
        ['assistant', 'On which machine?'],
      ],
    ],
    [
      'thanked for',
      'finished',
      [
        ['user', 'Fix the login.'],
        ['assistant', 'See the patch.'],
        ['user', 'Thanks, it works.'],
      ],
    ],
    [
      'complained about',
      'pending',
      [
        ['user', 'Fix the login.'],
        ['assistant', 'Fixed.'],
        ['user', 'No, it still breaks.'],
      ],
    ],
    [
      'taken back',
      'withdrawn',
      [
        ['user', 'Fix the login.'],
        ['assistant', 'Looking.'],
        ['user', 'Never mind the login.'],
      ],
    ],
    [
      'taken back in Chinese',
      'withdrawn',
      [
        ['user', '请修复登录。'],
        ['assistant', '正在看。'],
        ['user', '算了，不用了。'],
      ],
    ],
    [
      'answered somehow, and the user went on',
      'passed',
      [
        ['user', 'Fix the login.'],
        ['assistant', 'The login is a form.'],
        ['user', 'The weather is fine.'],
      ],
    ],
    [
      'answered somehow, and nothing after',
      'pending',
      [
        ['user', 'Fix the login.'],
        ['assistant', 'The login is a form.'],
      ],
    ],
  ] satisfies readonly (readonly [string, string, readonly Said[]])[])('%s: %s', async (_, state, said) => {
    expect(await states(...said)).toEqual([state]);
  });

  it('rules, decisions and statements are no requests', async () => {
    expect(
      await states(['user', 'Never push to main. We decided to use SQLite. The index has three columns.']),
    ).toEqual([]);
  });

  it('of a long paste its ends are looked at, and three requests at most', async () => {
    const paste = Array.from({ length: 500 }, (_, index) => `Add item ${index}.`).join(' ');
    expect((await findRequests(talk(['user', paste]))).map(({ text }) => text)).toEqual([
      'Add item 497.', 'Add item 498.', 'Add item 499.',
    ]); // prettier-ignore
  });
});

describe('repairing pending requests', () => {
  const turns = talk(
    ['user', 'Fix the login form.'],
    ['assistant', 'Fixed.'],
    ['user', 'Translate the handbook into Chinese.'],
    ['user', 'Draw the architecture diagram.'],
  );
  const known = () => knownRequests({ turns, policy: 'none', focus: '', abstractTokens: 1, overviewTokens: 1 });

  it('puts the newest first, marks what is finished, and leaves what it does not know', async () => {
    const lines = [
      'Fix the login form',
      'Handbook: translate into Chinese',
      'Something else entirely',
      'Draw the architecture diagram',
    ];
    expect(repairRequests(lines, await known())).toEqual({
      pending: ['Draw the architecture diagram', 'Handbook: translate into Chinese', 'Something else entirely'],
      settled: ['[done] Fix the login form'],
    });
  });

  it('adds the newest where it is missing', async () => {
    expect(repairRequests(['Handbook: translate into Chinese'], await known()).pending).toEqual([
      'Draw the architecture diagram.',
      'Handbook: translate into Chinese',
    ]);
  });

  it('knows short requests again', async () => {
    const short = talk(['user', 'Fix the bug.'], ['user', 'Run the CI.']);
    const requests = await knownRequests({
      turns: short,
      policy: 'none',
      focus: '',
      abstractTokens: 1,
      overviewTokens: 1,
    });
    expect(repairRequests(['Fix that bug', 'Run the CI again'], requests).pending).toEqual([
      'Run the CI again',
      'Fix that bug',
    ]);
  });

  it('what is asked again after it was done is open', async () => {
    const again = talk(['user', 'Run the load tests.'], ['assistant', 'Done.'], ['user', 'Run the load tests.']);
    const requests = await knownRequests({
      turns: again,
      policy: 'none',
      focus: '',
      abstractTokens: 1,
      overviewTokens: 1,
    });
    expect(repairRequests(['Run the load tests'], requests)).toEqual({ pending: ['Run the load tests'], settled: [] });
  });
});
