import { beforeEach, describe, expect, it } from 'vitest';
import { sharedState, type SharedState } from '../shared-state.ts';
import { forgetSharedState } from '../testing/forget-shared-state.ts';
import { assistant, user } from '../testing/messages.ts';
import { rememberPersistedUser, restorePersistedUsers } from './restore-persisted-users.ts';

let shared: SharedState;
const shown = { role: 'user', content: [{ type: 'text', text: 'hello' }], timestamp: 20 };

beforeEach(() => {
  forgetSharedState();
  shared = sharedState();
});

describe('restorePersistedUsers', () => {
  it('puts the message of the transcript in place of the form that the host holds in memory', () => {
    const written = user('hello', 10);
    rememberPersistedUser(shared, 'k', written);
    const answer = assistant('hi');
    const list = restorePersistedUsers(shared, 'k', [shown, answer]);
    expect(list[0]).toBe(written);
    expect(list[1]).toBe(answer);
  });

  it('leaves a message alone that was not written, in another session or with another text', () => {
    rememberPersistedUser(shared, 'k', user('other', 10));
    rememberPersistedUser(shared, 'k2', user('hello', 10));
    expect(restorePersistedUsers(shared, 'k', [shown])).toEqual([shown]);
    expect(restorePersistedUsers(shared, undefined, [shown])).toEqual([shown]);
  });

  it('keeps two messages with the same text apart', () => {
    const first = user('hello', 10);
    const second = user('hello', 11);
    rememberPersistedUser(shared, 'k', first);
    rememberPersistedUser(shared, 'k', second);
    expect(restorePersistedUsers(shared, 'k', [shown, { ...shown, timestamp: 21 }])).toEqual([first, second]);
  });

  it('leaves a message alone that has the form of the transcript already', () => {
    const written = user('hello', 10);
    rememberPersistedUser(shared, 'k', user('hello', 5));
    rememberPersistedUser(shared, 'k', written);
    const same = { ...written };
    expect(restorePersistedUsers(shared, 'k', [same])[0]).toBe(same);
  });
});
