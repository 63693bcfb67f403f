import { expect, it } from 'vitest';
import { Redaction } from './redact.ts';

it('a secret is masked wherever it stands in a long text of one line', () => {
  const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ456789';
  for (let before = 89_950; before <= 90_000; before += 10) {
    const text = `${'ab '.repeat(before / 3)} ${secret} ${'cd '.repeat(100)}`;
    expect(new Redaction().of(text)).toBe(text.replace(secret, '[secret]'));
  }
});
