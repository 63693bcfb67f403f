export interface ErrorMessage {
  /** Verbatim, without quotes. */
  readonly text: string;
  readonly at: number;
}

/** All patterns below need one of these; most texts have none. */
const mayHold =
  /error|exception|fail|cannot|can't|could not|not found|denied|refused|timed out|timeout|invalid|unexpected|unable|exceed|undefined|reset by|broken pipe|no such|does not exist|missing|forbidden|unauthorized|out of memory|overflow|panic|fatal|\bE[A-Z]{4}|\bTS\d|HTTP \d|错误|失败|无法|找不到|超时|拒绝|异常|报错/i;

/** A log can consist of error messages; the comparison of each with all others stays bounded. */
const mostPerText = 100;

const says = new RegExp(mayHold.source, 'i');

/** Where a message stops that is not quoted: at the end of its sentence or line. Lengths are bounded (characters). */
const labelled =
  /\b(?:[A-Z][A-Za-z]{0,40}(?:Error|Exception)|[Ee]rror|ERROR|FATAL|[Ff]atal|[Pp]anic)(?:\[\w{1,10}\])?(?:\s\w{1,12})?:\s{1,3}(?=\S)[^\n]{3,160}|(?:报错|错误|异常)[:：]\s?[^\n。；]{3,120}/g;
const quoted = /"[^"\n]{6,160}"|“[^“”\n]{6,160}”|「[^「」\n]{4,160}」|『[^『』\n]{4,160}』|`[^`\n]{6,160}`/g;
const codes =
  /\bE(?:NOENT|ACCES|PERM|EXIST|ISDIR|NOTDIR|NOTEMPTY|MFILE|NOSPC|PIPE|BUSY|INVAL|ROFS|CONNREFUSED|CONNRESET|CONNABORTED|TIMEDOUT|ADDRINUSE|ADDRNOTAVAIL|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN|RESOLVE|INTEGRITY)\b|\bTS\d{4,5}\b|\bE\d{4}\b|\bHTTP [45]\d\d\b/g;

/** Error messages in a text: after a label such as `TypeError:`, in quotes, and by their codes. */
export function findErrors(text: string): readonly ErrorMessage[] {
  if (!mayHold.test(text)) return [];
  const found: ErrorMessage[] = [];
  const add = (message: string, at: number): void => {
    if (found.length >= mostPerText) return;
    if (message.length > 3 && !found.some((known) => known.text.includes(message))) found.push({ text: message, at });
  };
  for (const match of text.matchAll(labelled)) add(sentence(match[0]), match.index);
  for (const match of text.matchAll(quoted)) {
    const message = match[0].slice(1, -1).trim();
    // A path or a name that happens to hold the word is no message.
    if (says.test(message) && /\s|[\p{Script=Han}]/u.test(message)) add(message, match.index);
  }
  for (const match of text.matchAll(codes)) add(match[0], match.index);
  return found;
}

function sentence(text: string): string {
  const end = /[.!?;](?=\s+[A-Z\p{Script=Han}]|\s*$)|[。！；，]|["”」』`](?=[\s.,;)]|$)/u.exec(text)?.index;
  return (end === undefined ? text : text.slice(0, end)).trimEnd();
}
