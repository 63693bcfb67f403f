import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Bits of the `encoding` columns. */
export const encodingBits = { plain: 0, zstd: 1, utf16: 2 } as const;

/**
 * From this size (bytes) compression is tried. Unpacking costs 30–60 µs however small the value is: a context of 128k
 * tokens made of 1 KiB messages would spend 20 ms on it, of 4 KiB messages 6 ms.
 */
export const compressFrom = 4_096;

export interface PackedBytes {
  readonly encoding: number;
  readonly bytes: Uint8Array;
}

const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Compresses where that makes the bytes fewer. */
export function packBytes(bytes: Uint8Array, encoding: number = encodingBits.plain): PackedBytes {
  if (bytes.length < compressFrom) return { encoding, bytes };
  const compressed = zstdCompressSync(bytes, options);
  return compressed.length < bytes.length
    ? { encoding: encoding | encodingBits.zstd, bytes: compressed }
    : { encoding, bytes };
}

export function unpackBytes(packed: PackedBytes): Buffer {
  const { bytes } = packed;
  if ((packed.encoding & encodingBits.zstd) !== 0) return zstdDecompressSync(bytes);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** UTF-8, and UTF-16 for texts with lone surrogates, which UTF-8 cannot hold. */
export function packText(text: string): PackedBytes {
  return text.isWellFormed()
    ? packBytes(Buffer.from(text, 'utf8'))
    : packBytes(Buffer.from(text, 'utf16le'), encodingBits.utf16);
}

export function unpackText(packed: PackedBytes): string {
  return unpackBytes(packed).toString((packed.encoding & encodingBits.utf16) === 0 ? 'utf8' : 'utf16le');
}
