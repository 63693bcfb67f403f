import type { HostRuntimeContext } from '../host-types.ts';

/** A number of tokens that the protocol takes; anything else is absent. */
export function tokensOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 1 ? Math.floor(value) : undefined;
}

/** The model's name out of the host's runtime context; nothing else of that object is read. */
export function modelOf(context: HostRuntimeContext | undefined): string | undefined {
  const name = context?.modelId ?? context?.model;
  return typeof name === 'string' && name !== '' ? name.slice(0, 500) : undefined;
}
