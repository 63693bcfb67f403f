import { describe, expect, it } from 'vitest';
import { agentOfSessionKey, resolveIdentity, sessionKindOf } from './resolve-identity.ts';

describe('resolveIdentity', () => {
  it('takes what the request says', () => {
    const fields = { session_id: 's', session_key: 'agent:a:main', agent_id: 'b', user_id: 'u' };
    expect(resolveIdentity(fields, 'default')).toEqual({
      userId: 'u',
      agentId: 'b',
      sessionKey: 'agent:a:main',
      sessionId: 's',
    });
  });

  it('reads a missing agent off the session key, else it is main, and the user is the configured one', () => {
    const of = (fields: object) => resolveIdentity({ session_id: 's', ...fields }, 'default');
    expect(of({ session_key: 'agent:ops:telegram:5' })).toMatchObject({ agentId: 'ops', userId: 'default' });
    expect(of({})).toMatchObject({ agentId: 'main', sessionKey: '' });
    expect(of({ session_key: 'agent::main' })).toMatchObject({ agentId: 'main' });
    expect(agentOfSessionKey('cron:5')).toBeUndefined();
  });
});

describe('sessionKindOf', () => {
  it.each([
    ['', 'main'],
    ['agent:main:main', 'main'],
    ['main', 'main'],
    ['agent:ops:subagent:5e1f', 'subagent'],
    ['agent:main:cron:nightly', 'cron'],
    ['agent:main:telegram:group:5', 'other'],
  ])('of %j is %s', (key, kind) => {
    expect(sessionKindOf(key)).toBe(kind);
  });
});
