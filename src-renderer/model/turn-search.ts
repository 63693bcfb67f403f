import type { TurnPart, TurnRecord } from '../../src-shared/model/turn-envelope.ts';
import { toJson } from './message-text.ts';

const texts = new WeakMap<TurnRecord, string>();

/** Whether a turn says this, in any of its parts and whatever the case. */
export function turnSays(record: TurnRecord, what: string): boolean {
  return textOf(record).includes(what.toLowerCase());
}

function textOf(record: TurnRecord): string {
  const known = texts.get(record);
  if (known !== undefined) return known;
  const text = record.turn.parts.map(partText).join('\n').toLowerCase();
  texts.set(record, text);
  return text;
}

/** The text of one part of a turn, as it is read and searched. */
export function partText(part: TurnPart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'tool_call':
      return toJson(part.arguments);
    case 'tool_result':
      return typeof part.result === 'string' ? part.result : toJson(part.result);
    case 'context_ref':
      return part.abstract === undefined ? part.uri : `${part.uri}\n${part.abstract}`;
    case 'meta':
      return toJson(part.value);
  }
}

/** What stands around the first place where a turn says this, as one line; undefined when it does not. */
export function excerptAround(record: TurnRecord, what: string, before = 40, after = 160): string | undefined {
  if (what === '') return undefined;
  const whole = record.turn.parts.map(partText).join('\n');
  const at = whole.toLowerCase().indexOf(what.toLowerCase());
  if (at < 0) return undefined;
  const from = Math.max(0, at - before);
  const piece = whole
    .slice(from, at + what.length + after)
    .toWellFormed()
    .replaceAll(/\s+/g, ' ');
  return from > 0 ? `…${piece}` : piece;
}
