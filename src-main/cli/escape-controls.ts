/**
 * Characters that do something to a terminal rather than show: controls but line breaks and tabs, and those that turn
 * the direction of writing or end a line unseen.
 */
const controls =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Text as a person may safely see it: what somebody or some tool once said must not move the cursor, clear the screen or
 * set a title. They are shown as in JSON (`\u001b`), so that a line of JSON still means the same.
 */
export function escapeControls(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(controls, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
