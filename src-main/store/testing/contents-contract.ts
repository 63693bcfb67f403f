import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sampleContent, sampleIdentity, sampleTurn, sha256 } from './samples.ts';
import { describeInBothStates, type CreateSubject, type StoreUnderTest } from './store-subject.ts';

const picture = randomBytes(3_000).toString('base64');
const deep = `${'{"a":['.repeat(5_000)}1${']}'.repeat(5_000)}`;

const bodies: Readonly<Record<string, string>> = {
  'a small message': '{"role":"user","content":"Hello"}',
  'empty text': '',
  'NUL and control characters': JSON.stringify({ content: 'a\u0000b\u0007' }) + '\u0000',
  'escaped lone surrogates': JSON.stringify({ content: '\ud800 and \udc00' }),
  'lone surrogates themselves': '"\ud83d"',
  'many lone surrogates': '\udc00 again and again '.repeat(1_000),
  emoji: JSON.stringify({ content: '😀👩‍👩‍👧'.repeat(2_000) }),
  'a __proto__ key': '{"__proto__":{"polluted":true},"constructor":1}',
  'deep nesting': deep,
  '200,000 characters': JSON.stringify({ content: '上下文引擎'.repeat(40_000) }),
  'an image part': JSON.stringify({ type: 'image', data: picture, mimeType: 'image/png' }),
  'a data URL': JSON.stringify({ image_url: { url: `data:image/png;base64,${picture}` } }),
  'two pictures around text': JSON.stringify([picture, 'between 😀', `data:image/png;base64,${picture}`]),
  'base64 after escapes': `"\\n${picture}\\u00e9${picture}\\\\${picture}"`,
  'base64 that is not canonical': JSON.stringify([picture.slice(1), `${picture.slice(0, -4)}AB==`, picture + '=']),
  'a very long word': JSON.stringify('a'.repeat(50_000)),
};

export function describeContents(createSubject: CreateSubject): void {
  describeInBothStates('contents', createSubject, (under) => {
    it.each(Object.keys(bodies))('returns %s byte for byte', async (title) => {
      const body = bodies[title] ?? '';
      await under.store.openSession(sampleIdentity(), 1_000, 'sess_1');
      await under.store.appendTurns({ sessionUid: 'sess_1', at: 1, turns: [sampleTurn(1, { body })] });
      await under.store.putContents([sampleContent(`${body} loose`)]);
      await under.settle();
      const read = await under.store.readBodies([sha256(body), sha256(`${body} loose`)]);
      expect(read.get(sha256(body)) === body).toBe(true);
      expect(read.get(sha256(`${body} loose`)) === `${body} loose`).toBe(true);
    });

    it('returns any JSON text byte for byte', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyBody, { minLength: 1, maxLength: 5 }), async (texts) => {
          await under.store.putContents(texts.map((text) => sampleContent(text)));
          const read = await under.store.readBodies(texts.map(sha256));
          for (const text of texts) expect(read.get(sha256(text))).toBe(text);
        }),
        { numRuns: 150 },
      );
    });

    it('leaves unknown hashes and things that are no hashes out', async () => {
      await under.store.putContents([sampleContent('"known"')]);
      await under.settle();
      const hashes = [sha256('"known"'), sha256('"unknown"'), 'no hash', '', "'; --", sha256('"known"')];
      expect(await under.store.readBodies(hashes)).toEqual(new Map([[sha256('"known"'), '"known"']]));
      expect(await under.store.findContents(hashes)).toEqual(new Map());
      expect(await under.store.readBodies([])).toEqual(new Map());
    });

    it('finds contents by message key, of several the one stored last', async () => {
      const key = sha256('key');
      await under.store.putContents([sampleContent('"one"', { messageKey: key, tokens: 1 })]);
      await under.store.putContents([sampleContent('"two"', { messageKey: key, tokens: 2 })]);
      await under.settle();
      const info = { contentHash: sha256('"two"'), messageKey: key, tokens: 2 };
      expect(await under.store.findContents([key, key])).toEqual(new Map([[key, info]]));
    });

    it('leaves known contents as they are', async () => {
      await under.store.putContents([sampleContent('"one"', { tokens: 1 }), sampleContent('"one"', { tokens: 2 })]);
      await under.settle();
      await under.store.putContents([sampleContent('"one"', { tokens: 3 })]);
      const { messageKey } = sampleContent('"one"');
      expect((await under.store.findContents([messageKey])).get(messageKey)?.tokens).toBe(1);
    });

    it('refuses hashes that are no SHA-256', async () => {
      const badHash = under.store.putContents([sampleContent('"x"', { contentHash: 'short' })]);
      await expect(badHash).rejects.toMatchObject({ code: 'internal' });
      const badKey = under.store.putContents([sampleContent('"x"', { messageKey: 'F'.repeat(64) })]);
      await expect(badKey).rejects.toMatchObject({ code: 'internal' });
    });

    it('stores a picture once, decoded, wherever it is quoted', async () => {
      const big = randomBytes(300_000).toString('base64');
      const { sizeBytes: before } = await sizes(under);
      await under.store.putContents(
        Array.from({ length: 10 }, (_, index) => sampleContent(JSON.stringify({ index, data: big }))),
      );
      await under.settle();
      const { sizeBytes: after } = await sizes(under);
      expect(after - before).toBeLessThan(big.length);
    });
  });
}

function sizes(under: StoreUnderTest) {
  return under.store.stats();
}

const base64 = fc
  .tuple(fc.uint8Array({ minLength: 700, maxLength: 2_000 }), fc.integer({ min: 0, max: 3 }))
  .map(([bytes, off]) => Buffer.from(bytes).toString('base64').slice(off));

const anyText = fc.string({ unit: 'binary', maxLength: 300 });
const longText = fc.tuple(anyText, fc.integer({ min: 1, max: 60 })).map(([text, times]) => text.repeat(times));

const anyBody = fc.oneof(
  fc.json({ stringUnit: 'binary' }),
  longText.map((text) => JSON.stringify(text)),
  longText,
  fc.array(fc.oneof(base64, anyText), { maxLength: 6 }).map((parts) => JSON.stringify(parts)),
  fc
    .array(fc.oneof(base64, fc.constantFrom('\\', '\\\\', '\\n', '\\u00', '=', '/', 'u')), { maxLength: 8 })
    .map((p) => p.join('')),
);
