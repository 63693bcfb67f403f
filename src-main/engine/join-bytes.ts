export type ByteSource = string | Uint8Array;

/** Texts (as UTF-8) and bytes, one behind the other. */
export function joinBytes(parts: readonly ByteSource[]): Uint8Array<ArrayBuffer> {
  let length = 0;
  for (const part of parts) length += typeof part === 'string' ? Buffer.byteLength(part) : part.length;
  // All of it is written below; making it zero first takes as long.
  const joined = Buffer.allocUnsafeSlow(length);
  let end = 0;
  for (const part of parts) {
    if (typeof part === 'string') {
      end += joined.write(part, end);
    } else {
      joined.set(part, end);
      end += part.length;
    }
  }
  return joined;
}
