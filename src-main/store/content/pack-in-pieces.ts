import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import { cutBase64, type Base64Cut, type CutText } from './cut-base64.ts';
import { compressFrom, encodingBits, type PackedBytes } from './pack-bytes.ts';

/** Characters that are looked through at once: some 10 ms. */
const pieceLength = 1_000_000;

/** At such a character no run of base64, and nothing that `cutBase64` reads before one, goes on. */
const divide = /[^A-Za-z0-9+/=\\]/g;

const compress = promisify(zstdCompress);
const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export interface PackedBody {
  readonly packed: PackedBytes;
  readonly cuts: readonly Base64Cut[];
}

/** What `cutBase64` and `packText` make of a long text, without holding up the event loop for all of it at once. */
export async function packInPieces(body: string): Promise<PackedBody> {
  const { text, cuts } = await cutInPieces(body);
  const isWellFormed = text.isWellFormed();
  const encoding = isWellFormed ? encodingBits.plain : encodingBits.utf16;
  const bytes = await encodeInPieces(text, isWellFormed ? 'utf8' : 'utf16le');
  if (bytes.length < compressFrom) return { packed: { encoding, bytes }, cuts };
  const compressed = await compress(bytes, options);
  const packed =
    compressed.length < bytes.length
      ? { encoding: encoding | encodingBits.zstd, bytes: compressed }
      : { encoding, bytes };
  return { packed, cuts };
}

async function cutInPieces(body: string): Promise<CutText> {
  const cuts: Base64Cut[] = [];
  const texts: string[] = [];
  let length = 0;
  for (let start = 0; start < body.length;) {
    divide.lastIndex = start + pieceLength;
    const end = divide.exec(body)?.index ?? body.length;
    const piece = cutBase64(body.slice(start, end));
    for (const { offset, bytes } of piece.cuts) cuts.push({ offset: length + offset, bytes });
    texts.push(piece.text);
    length += piece.text.length;
    start = end;
    await setImmediate();
  }
  return { text: texts.join(''), cuts };
}

async function encodeInPieces(text: string, encoding: 'utf8' | 'utf16le'): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + pieceLength);
    // UTF-8 cannot hold half of a pair.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1;
    pieces.push(Buffer.from(text.slice(start, end), encoding));
    start = end;
    await setImmediate();
  }
  return Buffer.concat(pieces);
}
