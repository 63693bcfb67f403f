import { describe, expect, it } from 'vitest';
import { createSessionToken, type TokenStorage } from './session-token.ts';
import { takeLinkCode } from './take-link-code.ts';
import { routeUrl } from './route-url.ts';

describe('the address of a route', () => {
  it('has its parameters escaped and leaves out what is not given', () => {
    const url = routeUrl('/v1/sessions/{id}/turns', { id: 'a/b 会' }, { cursor: undefined, limit: 5, raw: 'true' });
    expect(url).toBe('/v1/sessions/a%2Fb%20%E4%BC%9A/turns?limit=5&raw=true');
  });

  it('is not made without a parameter that it needs', () => {
    expect(() => routeUrl('/v1/calls/{id}', {})).toThrow('needs the parameter id');
    expect(() => routeUrl('/v1/calls/{id}', { id: '' })).toThrow('needs the parameter id');
  });
});

describe('a one-time link', () => {
  it('gives its code and the address without it', () => {
    expect(takeLinkCode('http://127.0.0.1:7717/sessions?x=1#code=abc-_1')).toEqual({
      code: 'abc-_1',
      rest: '/sessions?x=1',
    });
  });

  it('is none without a code', () => {
    expect(takeLinkCode('http://127.0.0.1:7717/')).toBeUndefined();
    expect(takeLinkCode('http://127.0.0.1:7717/#code=')).toBeUndefined();
    expect(takeLinkCode('http://127.0.0.1:7717/#other')).toBeUndefined();
  });
});

describe('the session token', () => {
  function memory(): TokenStorage {
    const kept = new Map<string, string>();
    return {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    };
  }

  it('is there again after a reload, and gone once it was cleared', () => {
    const storage = memory();
    createSessionToken(storage).set('t1');
    const reloaded = createSessionToken(storage);
    expect(reloaded.get()).toBe('t1');
    reloaded.clear();
    expect(createSessionToken(storage).get()).toBeUndefined();
  });

  it('is found when another tab signed in', () => {
    const storage = memory();
    const waiting = createSessionToken(storage);
    expect(waiting.get()).toBeUndefined();
    createSessionToken(storage).set('t2');
    expect(waiting.get()).toBe('t2');
  });

  it('lives as long as the page where storage is refused', () => {
    const denied = () => {
      throw new Error('denied');
    };
    const token = createSessionToken({ getItem: denied, setItem: denied, removeItem: denied });
    token.set('t3');
    expect(token.get()).toBe('t3');
    token.clear();
    expect(token.get()).toBeUndefined();
  });
});
