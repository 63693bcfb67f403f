import { describe, expect, it } from 'vitest';
import { createLogger, errorFields, type LogLevel } from './logger.ts';

function linesAt(level: LogLevel): string[] {
  const lines: string[] = [];
  const logger = createLogger({ level, now: () => Date.UTC(2026, 10, 2), write: (line) => lines.push(line) });
  logger.debug('one');
  logger.info('two', { port: 1, text: 'a\nb', missing: undefined });
  logger.warn('three');
  logger.error('four');
  return lines;
}

describe('the log', () => {
  it('is one JSON object per line, also for texts of several lines', () => {
    const lines = linesAt('info');
    expect(lines[0]).toBe('{"time":"2026-11-02T00:00:00.000Z","level":"info","event":"two","port":1,"text":"a\\nb"}\n');
  });

  it.each([
    ['debug', 4],
    ['info', 3],
    ['warn', 2],
    ['error', 1],
    ['silent', 0],
  ] as const)('at level %s has %i of four lines', (level, count) => {
    expect(linesAt(level)).toHaveLength(count);
  });

  it('bounds what it says of an error', () => {
    const error = new Error('x'.repeat(10_000), { cause: new TypeError('y'.repeat(10_000)) });
    expect(JSON.stringify(errorFields(error)).length).toBeLessThan(3_000);
    expect(errorFields('thrown text')).toEqual({ error: 'thrown text' });
  });
});
