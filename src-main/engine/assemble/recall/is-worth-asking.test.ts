import { describe, expect, it } from 'vitest';
import { isWorthAsking } from './is-worth-asking.ts';

describe('isWorthAsking', () => {
  it.each([
    'Which theme do I prefer?',
    'the database',
    'Hi, which theme do I prefer?',
    'thanks, and the deploy script?',
    'ok, but no Fridays',
    'why?',
    'Ann',
    '/home/ann/notes.md',
    '/etc/hosts has a wrong line',
    '数据库用哪个版本？',
    '你好，我喜欢什么主题？',
    '好的，部署到哪台机器',
    '主题',
    '東京の天気',
    `thanks ${'thanks '.repeat(20)}`,
  ])('%j may be a question to memory', (text) => {
    expect(isWorthAsking(text)).toBe(true);
  });

  it.each([
    '',
    ' \n ',
    'hi',
    'Hello there!',
    'THANK YOU so much',
    'ok, go on',
    'yes please',
    "that's right",
    'no',
    'k',
    '?',
    '…!!!',
    '👍🎉',
    '你好',
    '好的，继续',
    '谢谢你！',
    '嗯嗯',
    '收到，明白了',
    '好',
    '/compact',
    '/new please',
    '[OpenClaw heartbeat poll] anything to do?',
    'Continue the current task from the existing transcript.',
  ])('%j asks for nothing', (text) => {
    expect(isWorthAsking(text)).toBe(false);
  });

  it('reads a message of ten megabytes as fast as any', () => {
    expect(isWorthAsking('ok '.repeat(3_500_000))).toBe(true);
    expect(isWorthAsking(` ${'/'.repeat(10_000_000)}`)).toBe(true);
  });
});
