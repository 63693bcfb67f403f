/**
 * A name as names are compared: without case, width, accents, and differences of white space. Kana keep their marks:
 * か and が are different letters.
 */
export function foldName(name: string): string {
  return name
    .slice(0, longestName)
    .toWellFormed()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_]+/g, ' ')
    .trim();
}

/** Nobody means a longer one (UTF-16 units). */
const longestName = 1_000;
