import type { CompactParams, CompactResult } from '../host-types.ts';

export type DelegateCompaction = (params: CompactParams) => Promise<CompactResult>;

/** Hands a compaction to the host's own runtime. @throws when the host has no such runtime or it fails */
export async function delegateCompaction(params: CompactParams): Promise<CompactResult> {
  const module: unknown = await import('openclaw/plugin-sdk/core');
  if (typeof module !== 'object' || module === null || !('delegateCompactionToRuntime' in module)) {
    throw new Error('This host has no delegateCompactionToRuntime in openclaw/plugin-sdk/core');
  }
  // The parameters are the host's own object, passed on as they came.
  const delegate = module.delegateCompactionToRuntime as DelegateCompaction;
  return await delegate(params);
}
