/** Sentences of a text in order; code fences and table rows count as one, Chinese full stops end a sentence too. */
export function splitSentences(text: string): string[] {
  return text
    .replace(/```[^\n]*\n?([\s\S]*?)```/g, (_, code: string) => `\n${code.split('\n')[0] ?? ''}\n`)
    .split(/(?<=[.!?])\s+(?=\S)|(?<=[。！？；])|\n+/u)
    .map((sentence) => sentence.replace(/\s+/gu, ' ').trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}
