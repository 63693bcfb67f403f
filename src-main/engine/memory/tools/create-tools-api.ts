import type { Config } from '../../../../src-shared/model/config.ts';
import type { EngineApi } from '../../../../src-shared/protocol/api.ts';
import { recallForTool, type RecallToolParts } from './recall-tool.ts';

/** The tools by which an agent reads memory itself. */
export function createToolsApi(
  parts: Omit<RecallToolParts, 'config' | 'defaultUser'> & { readonly config: Pick<Config, 'recall' | 'user_id'> },
): Pick<EngineApi, 'memoryRecall'> {
  const { config } = parts;
  const tool = { ...parts, config: config.recall, defaultUser: config.user_id };
  return { memoryRecall: async ({ body }) => recallForTool(body, tool) };
}
