import type { WireFormat, WirePart, WireReply } from '../../../../src-shared/protocol/wire.ts';
import { isRecord } from '../read-fields.ts';
import type { WireBlock, WireMessage } from './wire-block.ts';

type Written = Pick<WireReply, 'request' | 'parts' | 'left_out'>;

/** A list in a provider's own format: what its documentation says of roles, of merging, and of tool calls. Pure. */
export function writeWire(messages: readonly WireMessage[], format: WireFormat): Written {
  const sent = messages.filter(({ blocks }) => blocks.length > 0);
  const written = writers[format](sent);
  const left = messages
    .filter(({ blocks }) => blocks.length === 0)
    .map(({ item }) => ({ item, why: 'It has nothing that a provider takes: no text, no call, no picture.' }));
  return { ...written, left_out: left };
}

const writers: Readonly<Record<WireFormat, (messages: readonly WireMessage[]) => Pick<Written, 'request' | 'parts'>>> =
  { openai: writeOpenAi, anthropic: writeAnthropic, gemini: writeGemini };

/** Chat completions: one message each; several results are several messages; arguments are JSON text. */
function writeOpenAi(messages: readonly WireMessage[]) {
  const written: Record<string, unknown>[] = [];
  const parts: WirePart[] = [];
  for (const { role, blocks, item, position } of messages) {
    const of = { item, ...(position === undefined ? {} : { position }) };
    if (role === 'tool') {
      for (const block of blocks) {
        if (block.type !== 'result') continue;
        parts.push({ pointer: `/messages/${written.length}/content`, ...of });
        written.push({ role: 'tool', tool_call_id: block.callId, content: block.text });
      }
      // Results have no pictures in this format: they follow as the user's.
      const images = blocks.filter(({ type }) => type !== 'result');
      if (images.length > 0) {
        images.forEach((_, at) => parts.push({ pointer: `/messages/${written.length}/content/${at}`, ...of }));
        written.push({ role: 'user', content: images.map(openAiPart) });
      }
      continue;
    }
    const said = blocks.filter(({ type }) => type !== 'call' && type !== 'result');
    const calls = blocks.flatMap((block) => (block.type === 'call' ? [block] : []));
    const [only] = said;
    const isText = said.length === 1 && only?.type === 'text';
    const at = `/messages/${written.length}`;
    if (isText) parts.push({ pointer: `${at}/content`, ...of });
    else said.forEach((_, index) => parts.push({ pointer: `${at}/content/${index}`, ...of }));
    calls.forEach((_, index) => parts.push({ pointer: `${at}/tool_calls/${index}`, ...of }));
    written.push({
      role,
      content: isText ? only.text : said.length === 0 ? null : said.map(openAiPart),
      ...(calls.length === 0
        ? {}
        : {
            tool_calls: calls.map(({ id, name, args }) => ({
              id,
              type: 'function',
              function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}) },
            })),
          }),
    });
  }
  return { request: { messages: written }, parts };
}

function openAiPart(block: WireBlock): unknown {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'image_url') return { type: 'image_url', image_url: { url: block.url } };
  if (block.type === 'image') {
    return { type: 'image_url', image_url: { url: `data:${block.mediaType};base64,${block.data}` } };
  }
  return { type: 'text', text: '' };
}

/** Messages API: system beside the list; neighbours of one role are one message; results are the user's, and come first. */
function writeAnthropic(messages: readonly WireMessage[]) {
  const { system, turns, parts } = inTurns(messages, { list: 'messages', content: 'content', system: '/system' });
  return {
    request: {
      ...(system.length === 0 ? {} : { system: system.map(({ text }) => ({ type: 'text', text })) }),
      messages: turns.map(({ role, blocks }) => ({ role, content: blocks.map(anthropicBlock) })),
    },
    parts,
  };
}

function anthropicBlock(block: WireBlock): unknown {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return { type: 'image', source: { type: 'base64', media_type: block.mediaType, data: block.data } };
    case 'image_url':
      return { type: 'image', source: { type: 'url', url: block.url } };
    case 'call':
      return { type: 'tool_use', id: block.id, name: block.name, input: objectOf(block.args) };
    case 'result':
      return {
        type: 'tool_result',
        tool_use_id: block.callId,
        content: [{ type: 'text', text: block.text }],
        ...(block.isError ? { is_error: true } : {}),
      };
  }
}

/** generateContent: `model` for the assistant, system instruction beside the list, results by the function's name. */
function writeGemini(messages: readonly WireMessage[]) {
  const { system, turns, parts } = inTurns(messages, {
    list: 'contents',
    content: 'parts',
    system: '/systemInstruction/parts',
  });
  const names = new Map(
    messages.flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.type === 'call' ? [[block.id, block.name] as const] : [])),
    ),
  );
  return {
    request: {
      ...(system.length === 0 ? {} : { systemInstruction: { parts: system.map(({ text }) => ({ text })) } }),
      contents: turns.map(({ role, blocks }) => ({
        role: role === 'assistant' ? 'model' : 'user',
        parts: blocks.map((block) => geminiPart(block, names)),
      })),
    },
    parts,
  };
}

function geminiPart(block: WireBlock, names: ReadonlyMap<string, string>): unknown {
  switch (block.type) {
    case 'text':
      return { text: block.text };
    case 'image':
      return { inlineData: { mimeType: block.mediaType, data: block.data } };
    case 'image_url':
      return { fileData: { fileUri: block.url } };
    case 'call':
      return { functionCall: { name: block.name, args: objectOf(block.args) } };
    case 'result': {
      const name = block.name === '' ? (names.get(block.callId) ?? '') : block.name;
      return { functionResponse: { name, response: block.isError ? { error: block.text } : { output: block.text } } };
    }
  }
}

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly blocks: WireBlock[];
}

/** System texts, and turns of user and assistant that alternate; each block with its place. */
function inTurns(
  messages: readonly WireMessage[],
  names: { readonly list: string; readonly content: string; readonly system: string },
) {
  const system: { readonly text: string }[] = [];
  const systemParts: WirePart[] = [];
  const turns: Turn[] = [];
  const parts: WirePart[] = [];
  for (const { role, blocks, item, position } of messages) {
    const of = { item, ...(position === undefined ? {} : { position }) };
    for (const block of blocks) {
      if (role === 'system') {
        systemParts.push({ pointer: `${names.system}/${system.length}`, ...of });
        system.push({ text: block.type === 'text' ? block.text : '' });
        continue;
      }
      const speaker = role === 'assistant' ? 'assistant' : 'user';
      let turn = turns.at(-1);
      if (turn?.role !== speaker) turns.push((turn = { role: speaker, blocks: [] }));
      parts.push({ pointer: `/${names.list}/${turns.length - 1}/${names.content}/${turn.blocks.length}`, ...of });
      turn.blocks.push(block);
    }
  }
  return { system, turns, parts: [...systemParts, ...parts] };
}

function objectOf(value: unknown): object {
  return isRecord(value) ? value : { arguments: value ?? null };
}
