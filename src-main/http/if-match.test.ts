import { expect, it } from 'vitest';
import { savePageRoute } from '../../src-shared/protocol/pages.ts';
import { compactRoute } from '../../src-shared/protocol/compact.ts';
import { entityTag, withIfMatch } from './if-match.ts';

it.each([
  ['"7"', { base_version: 7 }],
  ['W/"7"', { base_version: 7 }],
  ['7', { base_version: 7 }],
  [`"${'a'.repeat(64)}"`, { base_hash: 'a'.repeat(64) }],
])('If-Match %s names what a change is based on', (header, expected) => {
  expect(withIfMatch(savePageRoute, header, { title: 'x' })).toEqual({ title: 'x', ...expected });
});

it.each(['*', '"7", "8"', '"x"', ''])('If-Match %j is refused, not passed over', (header) => {
  expect(() => withIfMatch(savePageRoute, header, {})).toThrow(expect.objectContaining({ code: 'invalid_request' }));
});

it('a header and a body that name different versions are refused', () => {
  expect(() => withIfMatch(savePageRoute, '"7"', { base_version: 8 })).toThrow('different versions');
});

it('a route that compares no versions takes no notice of the header', () => {
  expect(withIfMatch(compactRoute, '*', { session_id: 's' })).toEqual({ session_id: 's' });
});

it('the answer of a page carries its version as a tag', () => {
  expect(entityTag({ uri: 'x', version: 3, content_hash: 'a' })).toBe('"3"');
  expect(entityTag({ version: '0.1.0' })).toBeUndefined();
});
