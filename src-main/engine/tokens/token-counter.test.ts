import { describe, expect, it } from 'vitest';
import { createInlineTokenizer } from '../../providers/tokenizer/create-inline-tokenizer.ts';
import { readOpenAiMessage } from '../messages/read-openai-message.ts';
import { readOpenClawMessage } from '../messages/read-openclaw-message.ts';
import type { Tokenizer } from '../ports/tokenizer.ts';
import { assistantMessage, toolCallMessage, toolResultMessage, userMessage } from '../testing/messages.ts';
import { TokenCounter } from './token-counter.ts';

/** The real tokenizer, with a list of what it was asked. */
function recordingTokenizer(): Tokenizer & { readonly asked: string[] } {
  const tokenizer = createInlineTokenizer();
  const asked: string[] = [];
  return {
    ...tokenizer,
    asked,
    count: (texts) => {
      asked.push(...texts);
      return tokenizer.count(texts);
    },
  };
}

const languages = {
  chinese: '今天我们讨论了数据库迁移的方案，决定先在测试环境里运行一周，然后再切换到生产环境。',
  japanese: '今日はデータベースの移行について話し合いました。まずテスト環境で一週間動かします。',
  korean: '오늘 우리는 데이터베이스 이전 계획을 논의했고 먼저 테스트 환경에서 운영하기로 했습니다.',
  emoji: '😀👍🏽👩‍👩‍👧‍👦🇨🇳🚀🔥✨❤️🎉🤔🙏🏿',
};

describe('TokenCounter', () => {
  it.each(Object.entries(languages))(
    'S37, S38: a message costs what the tokenizer says, and 20 tokens for its frame: %s',
    async (_, text) => {
      const tokenizer = createInlineTokenizer();
      const [exact = 0] = await tokenizer.count([text]);
      const [counted] = await new TokenCounter(tokenizer).messages(
        [readOpenClawMessage(userMessage(text, 0))],
        'openclaw',
      );
      expect(counted).toBe(exact + 20);
    },
  );

  it('S40: serialised arguments of a tool call are counted, beside the frame of the call', async () => {
    const counter = new TokenCounter(createInlineTokenizer());
    const args = { edits: Array.from({ length: 200 }, (_, line) => ({ line, text: `new text ${line}` })) };
    const [tokens = 0] = await counter.messages([readOpenClawMessage(toolCallMessage('c', 0, args))], 'openclaw');
    expect(tokens).toBeGreaterThanOrEqual((await counter.text(JSON.stringify(args))) + (await counter.text('read')));
  });

  it('counts the frames of results and images, and the time that OpenClaw puts before a user’s text', async () => {
    const counter = new TokenCounter(createInlineTokenizer());
    const image = { role: 'user', content: [{ type: 'image', data: 'AAAA' }], timestamp: 1 };
    const views = [toolResultMessage('c', '', 0), assistantMessage('', 0), image].map(readOpenClawMessage);
    expect(await counter.messages(views, 'openclaw')).toEqual([12, 4, 2_020]);
    expect(await counter.messages([readOpenAiMessage({ role: 'user', content: '' })], 'openai')).toEqual([4]);
  });

  it('counts each text once, whatever message it comes in', async () => {
    const tokenizer = recordingTokenizer();
    const counter = new TokenCounter(tokenizer);
    const text = 'a text that is longer than what is kept as its own key';
    const views = [userMessage(text, 0), assistantMessage(text, 1), userMessage('short', 2)].map(readOpenClawMessage);
    const first = await counter.messages(views, 'openclaw');
    expect(await counter.messages(views, 'openclaw')).toEqual(first);
    expect(tokenizer.asked).toEqual([text, 'short']);
  });

  it('forgets the oldest counts beyond 20,000 texts', async () => {
    const tokenizer = recordingTokenizer();
    const counter = new TokenCounter(tokenizer);
    for (let number = 0; number <= 20_000; number += 1) await counter.text(`t${number}`);
    tokenizer.asked.length = 0;
    await counter.text('t20000');
    await counter.text('t0');
    expect(tokenizer.asked).toEqual(['t0']);
  });

  it('counts the empty text as nothing, without asking', async () => {
    const tokenizer = recordingTokenizer();
    expect(await new TokenCounter(tokenizer).text('')).toBe(0);
    expect(tokenizer.asked).toEqual([]);
  });
});
