export type ByteSource = string | Uint8Array;

const utf8 = new TextEncoder();

/** Texts (as UTF-8) and bytes, one behind the other. */
export function joinBytes(parts: readonly ByteSource[]): Uint8Array<ArrayBuffer> {
  // A UTF-16 unit takes three bytes at most.
  const most = parts.reduce((sum, part) => sum + (typeof part === 'string' ? 3 * part.length : part.length), 0);
  const joined = new Uint8Array(most);
  let end = 0;
  for (const part of parts) {
    if (typeof part === 'string') {
      end += utf8.encodeInto(part, joined.subarray(end)).written;
    } else {
      joined.set(part, end);
      end += part.length;
    }
  }
  return joined.subarray(0, end);
}
