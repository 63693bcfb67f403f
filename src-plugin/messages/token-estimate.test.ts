import { hash } from 'node:crypto';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { assistant, user } from '../testing/messages.ts';
import { tokenEstimate } from './token-estimate.ts';

const hex = Array.from({ length: 20 }, (_, i) => hash('sha256', String(i), 'hex')).join('');
const texts: Record<string, string> = {
  Chinese: '请帮我检查昨天部署失败的原因，并把日志里所有的错误整理成一份报告。'.repeat(20),
  Japanese: '昨日のデプロイが失敗した理由を調べて、ログのエラーをまとめてください。'.repeat(20),
  Russian: 'Проверь, почему вчера не удалось развернуть сервис, и собери ошибки из журнала. '.repeat(20),
  English: 'Please find out why the deployment failed yesterday and collect the errors of the log. '.repeat(20),
  JSON: JSON.stringify(Array.from({ length: 50 }, (_, i) => ({ id: i * 7919, ok: i % 2 === 0, path: `/a/b${i}.ts` }))),
  hex,
};

describe('tokenEstimate', () => {
  it.each(Object.keys(texts))('is not below the real count of %s', (name) => {
    const text = texts[name] ?? '';
    const real = encode(text).length;
    expect(tokenEstimate(user(text))).toBeGreaterThanOrEqual(real);
    expect(tokenEstimate(user(text))).toBeLessThan(real * 3);
  });

  it('counts serialised tool arguments, their names included', () => {
    const args = { ファイル: '昨日のデプロイ.txt', options: [1, true, null, { 深さ: '三' }] };
    const call = { role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'read', arguments: args }] };
    expect(tokenEstimate(call)).toBeGreaterThan(encode(JSON.stringify(args)).length);
  });

  it('is not zero for a message of one letter', () => {
    expect(tokenEstimate(user('a'))).toBeGreaterThan(0);
    expect(tokenEstimate(assistant('a'))).toBeGreaterThan(0);
  });

  it('counts an image by its kind, not by the length of its data', () => {
    const image = { role: 'user', content: [{ type: 'image', mimeType: 'image/png', data: 'A'.repeat(1_000_000) }] };
    expect(tokenEstimate(image)).toBeLessThan(2_100);
  });

  it('takes what is no message, and an object that contains itself', () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    for (const value of [null, undefined, 5, 'x', [], {}, { content: [null, 5, loop] }, { content: loop }]) {
      expect(Number.isSafeInteger(tokenEstimate(value))).toBe(true);
    }
  });
});
