import type { EngineApi } from '../../../../src-shared/protocol/api.ts';
import type { Breakpoints } from './breakpoints.ts';

type BreakpointsApi = Pick<EngineApi, 'breakpoints' | 'putBreakpoint' | 'deleteBreakpoint' | 'resumeBreakpoint'>;

export function createBreakpointsApi(breakpoints: Breakpoints): BreakpointsApi {
  return {
    breakpoints: async () => breakpoints.list(),
    putBreakpoint: async ({ params, body }) => breakpoints.put(params.id, body),
    deleteBreakpoint: async ({ params }) => breakpoints.delete(params.id),
    resumeBreakpoint: async ({ params, body }) => ({ resumed: breakpoints.resume(params.id, body.call_id) }),
  };
}
