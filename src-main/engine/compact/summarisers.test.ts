import { configSchema } from '../../../src-shared/model/config.ts';
import { createOpenAiCompatible } from '../../providers/language-model/openai-compatible.ts';
import { openModelServer } from '../../providers/language-model/testing/model-server.ts';
import { createInlineTokenizer } from '../../providers/tokenizer/create-inline-tokenizer.ts';
import { TokenCounter } from '../tokens/token-counter.ts';
import { createSummariser } from './create-summariser.ts';
import { createExtractiveSummariser } from './extractive-summariser.ts';
import { createSummaryPhases, isRejection } from './summary-phases.ts';
import { deliveredPrompts } from './testing/read-prompt-file.ts';
import { scriptedWriter } from './testing/scripted-writer.ts';
import { describeSummariser } from './testing/summariser-contract.ts';
import { throwIfAborted } from './throw-if-aborted.ts';

const counter = new TokenCounter(createInlineTokenizer());
const prompts = deliveredPrompts();

describeSummariser('extractive', async () => createExtractiveSummariser(counter));

describeSummariser('openai-compatible', async () => {
  const server = await openModelServer(({ prompt }) => `<think>Let me think.</think>\n${scriptedWriter(prompt)}`);
  const model = createOpenAiCompatible({
    base_url: server.url,
    model: 'scripted-1',
    timeout_ms: 20_000,
    max_input_tokens: 16_000,
    max_output_tokens: 2_000,
    retries: 0,
    apiKey: () => '',
  });
  const config = configSchema.parse({ compaction: { summariser: 'openai-compatible' } });
  return createSummariser({ config, counter, model, prompts });
});

describeSummariser('the host, in two phases', async () => {
  const phases = createSummaryPhases({ counter, prompts, maxInputTokens: 16_000, maxOutputTokens: 2_000 });
  return {
    name: 'host',
    summarise: async (request) => {
      const { prompt } = await phases.prepareSummary(request);
      throwIfAborted(request.signal);
      const finished = await phases.finishSummary(request, { text: scriptedWriter(prompt), model: 'host-1' }, 'host');
      if (isRejection(finished)) throw new Error(finished.rejected);
      return finished;
    },
  };
});
