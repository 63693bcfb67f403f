import { expect, it } from 'vitest';
import { cutBase64 } from './cut-base64.ts';
import { packText, unpackText } from './pack-bytes.ts';
import { packInPieces } from './pack-in-pieces.ts';

const picture = Buffer.from(Array.from({ length: 900_000 }, (_, at) => (at * 7919) % 251)).toString('base64');
const rows = (count: number) => Array.from({ length: count }, (_, at) => `row ${at}: 一切正常 😀`).join('\n');

it.each([
  ['text of several pieces', JSON.stringify([{ type: 'text', text: rows(150_000) }])],
  [
    'a picture over the end of a piece',
    JSON.stringify([rows(40_000), { data: picture }, rows(40_000), { data: picture }]),
  ],
  ['pictures behind escapes', JSON.stringify(`${'a'.repeat(5)}\n`.repeat(200_000) + `\n${picture}\n${picture}`)],
  ['lone surrogates', `${rows(60_000)}\ud800${rows(60_000)}`],
  ['one word without an end', 'x'.repeat(2_500_000)],
  ['emoji at the end of a piece', '😀'.repeat(1_200_000)],
  ['a short text', 'short'],
  ['nothing', ''],
])('%s is packed in pieces as it is at once', async (_, body) => {
  const atOnce = cutBase64(body);
  const { packed, cuts } = await packInPieces(body);
  expect(cuts.map(({ offset }) => offset)).toEqual(atOnce.cuts.map(({ offset }) => offset));
  expect(cuts.every(({ bytes }, at) => bytes.equals(atOnce.cuts[at]?.bytes ?? Buffer.alloc(0)))).toBe(true);
  // Compressed as a stream, the bytes are others, and unpacked they are the same.
  expect(packed.encoding).toBe(packText(atOnce.text).encoding);
  expect(unpackText(packed) === atOnce.text).toBe(true);
});
