/** Whether a text has this word for word, and not only as a piece of something longer (`#12` within `#123`). */
export function containsWhole(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const startsWhole = !isWordCharacter(text[at - 1]) || !isWordCharacter(wanted[0]);
    const endsWhole = !isWordCharacter(text[at + wanted.length]) || !isWordCharacter(wanted.at(-1));
    if (startsWhole && endsWhole) return true;
  }
  return false;
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character);
}
