export interface ResultContent {
  /** All texts of the result, one after the other. */
  readonly text: string;
  /** Parts that are images, as they came. */
  readonly images: readonly unknown[];
}

/** What a tool answered, out of a message's `content`: a text, or a list of parts. Parts of unknown kinds are their JSON. */
export function readResultContent(content: unknown): ResultContent {
  const texts: string[] = [];
  const images: unknown[] = [];
  for (const part of contentParts(content)) {
    const type = isFields(part) ? part['type'] : undefined;
    if (typeof part === 'string') texts.push(part);
    else if (isFields(part) && type === 'text') texts.push(typeof part['text'] === 'string' ? part['text'] : '');
    else if (type === 'image' || type === 'image_url') images.push(part);
    else if (part !== undefined && part !== null) texts.push(JSON.stringify(part) ?? '');
  }
  return { text: texts.join('\n'), images };
}

/**
 * The content as the JSON text that is stored, and whose SHA-256 names it: the same in the host's process, over the wire
 * and in the daemon.
 */
export function resultBody(content: unknown): string {
  return JSON.stringify(contentParts(content));
}

function contentParts(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return content === undefined || content === null ? [] : [content];
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
