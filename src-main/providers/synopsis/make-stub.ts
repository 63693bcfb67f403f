import { toolResultUri } from '../../../src-shared/model/uri.ts';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { readResultContent, resultBody } from '../../../src-shared/synopsis/result-content.ts';
import { resultStub } from '../../../src-shared/synopsis/result-stub.ts';
import { sha256 } from '../../engine/hash.ts';
import type { CondenseInput, DigestInput, ResultDigest } from '../../engine/ports/result-stubs.ts';
import { estimateCharacters } from '../../engine/tokens/estimate-characters.ts';
import { condenseMessage } from '../../engine/tool-results/condense-message.ts';

// The work itself, the same on every thread.

export function digestResult({ content, toolName, synopsisCharacters }: DigestInput): ResultDigest {
  const { text } = readResultContent(content);
  const body = resultBody(content);
  const contentHash = sha256(body);
  const uri = toolResultUri(contentHash);
  return {
    body,
    contentHash,
    estimatedTokens: estimateCharacters(text),
    stub: resultStub({ uri, toolName, text, imagesLeftOut: 0, synopsisCharacters }),
  };
}

export function shortenMessage({ body, format, uri, limits }: CondenseInput): HostMessage | undefined {
  // Bodies are written from messages.
  return condenseMessage(JSON.parse(body) as HostMessage, format, uri, limits);
}
