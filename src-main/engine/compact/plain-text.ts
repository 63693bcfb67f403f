/** Sequences that colour a terminal or set its title, with what belongs to them; lengths are bounded (characters). */
const terminal = /\u001b(?:\[[0-?]{0,40}[ -/]{0,8}[@-~]|\][^\u0007\u001b\n]{0,300}(?:\u0007|\u001b\\))/g;
/** Other control characters, and marks that change the direction in which the text after them is shown. */
const hidden =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
const anyHidden = new RegExp(hidden.source);

/** A text without what nobody sees and what makes it look like another one. Tabs and ends of lines stay. */
export function withoutControls(text: string): string {
  return anyHidden.test(text) ? text.replace(terminal, '').replace(hidden, '') : text;
}

/** Longest name of a model that is recorded (characters). */
const longestName = 200;

/** A name as it is recorded: on one line, and short enough to be one. */
export function plainName(name: string): string {
  return withoutControls(name.slice(0, 4 * longestName))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longestName)
    .toWellFormed();
}
