import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkpointUri, parseUri, sessionUri, toolResultUri, toolResultUrisIn, turnUri } from './uri.ts';

const name = fc.string({ unit: 'grapheme', minLength: 1 });

describe('URIs', () => {
  it('name a session, a turn and a checkpoint', () => {
    expect(sessionUri('default', 'sess_1')).toBe('strata://session/default/sess_1');
    expect(turnUri('default', 'sess_1', 12)).toBe('strata://session/default/sess_1/turn/12');
    expect(checkpointUri('default', 'sess_1', 'ckpt_2')).toBe('strata://session/default/sess_1/checkpoint/ckpt_2');
  });

  it('are read as they were written, whatever the names are', () => {
    fc.assert(
      fc.property(name, name, name, fc.integer({ min: 1 }), (user, session, checkpoint, sequence) => {
        const [userId, sessionUid, checkpointId] = [user, session, checkpoint].map((part) => part.toWellFormed());
        expect(parseUri(sessionUri(user, session))).toEqual({ kind: 'session', userId, sessionUid });
        expect(parseUri(turnUri(user, session, sequence))).toEqual({ kind: 'turn', userId, sessionUid, sequence });
        expect(parseUri(checkpointUri(user, session, checkpoint))).toEqual({
          kind: 'checkpoint',
          userId,
          sessionUid,
          checkpointId,
        });
      }),
    );
  });

  it('name a tool result by its hash, and are found again in a text that names them', () => {
    const [one, other] = ['a1'.repeat(32), '0f'.repeat(32)];
    expect(parseUri(toolResultUri(one))).toEqual({ kind: 'tool-result', contentHash: one });
    const text = `at ${toolResultUri(one)}. And "${toolResultUri(other)}", ${toolResultUri(one)}; ${toolResultUri(one)}0`;
    expect(toolResultUrisIn(text)).toEqual([toolResultUri(one), toolResultUri(other)]);
    expect(toolResultUrisIn('none')).toEqual([]);
  });

  it('are written for names that are no well-formed Unicode', () => {
    expect(sessionUri('\ud800', 's')).toBe('strata://session/%EF%BF%BD/s');
  });

  it.each([
    '',
    'strata://',
    'strata://session',
    'strata://session/u',
    'strata://session//s',
    'strata://session/u/s/',
    'strata://session/u/s/turn',
    'strata://session/u/s/turn/',
    'strata://session/u/s/turn/0',
    'strata://session/u/s/turn/-1',
    'strata://session/u/s/turn/1.5',
    'strata://session/u/s/turn/9999999999999999',
    'strata://session/u/s/checkpoint/',
    'strata://session/u/s/turn/1/more',
    'strata://session/%ZZ/s',
    'strata://user/u/notes/preference/tea',
    'strata://user/u/memories',
    'strata://resources/a/../b',
    'strata://agent//memories/x',
    'https://session/u/s',
    'STRATA://session/u/s',
    'strata://tool-result/',
    `strata://tool-result/${'A'.repeat(64)}`,
    `strata://tool-result/${'a'.repeat(63)}`,
    `strata://tool-result/${'a'.repeat(64)}/x`,
  ])('refuse %j', (text) => {
    expect(() => parseUri(text)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  it('are refused with the start of the text only', () => {
    expect(() => parseUri('x'.repeat(100_000))).toThrow(/^Expected a URI .{0,400}$/s);
  });
});
