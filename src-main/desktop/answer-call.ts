import { z } from 'zod';
import { EngineError } from '../../src-shared/model/engine-error.ts';
import type { ErrorReply } from '../../src-shared/protocol/common.ts';
import { routes } from '../../src-shared/protocol/routes.ts';
import { toErrorReply } from '../http/error-reply.ts';
import type { CallableRoute, EngineLink } from './engine-link.ts';
import { isOwnFrame, type SenderFrame } from './is-own-frame.ts';

export type CallAnswer = { readonly ok: true; readonly value: unknown } | ErrorReply;

const callSchema = z.object({
  name: z.string(),
  input: z.object({ params: z.unknown(), query: z.unknown(), body: z.unknown() }).partial(),
});

/**
 * Answers one call of the page: the frame is checked, then the name, then the call goes to the engine. Never throws:
 * what Electron carries of a thrown error is only its message.
 */
export async function answerCall(
  link: EngineLink,
  frame: SenderFrame | null,
  name: unknown,
  input: unknown,
): Promise<CallAnswer> {
  try {
    if (!isOwnFrame(frame)) throw new EngineError('forbidden_origin', 'Only the inspector of this window may call.');
    const call = callSchema.safeParse({ name, input });
    if (!call.success) {
      throw new EngineError(
        'invalid_request',
        'Expected the name of a route and an input with params, query and body.',
      );
    }
    if (!isCallable(call.data.name)) {
      throw new EngineError('not_found', `There is no route named ${JSON.stringify(call.data.name.slice(0, 100))}.`);
    }
    return { ok: true, value: await link.call(call.data.name, call.data.input) };
  } catch (error) {
    return toErrorReply(error).body;
  }
}

const doors: ReadonlySet<string> = new Set(['events', 'inspectorLink', 'inspectorSession']);
const callable: ReadonlySet<string> = new Set(routes.map((route) => route.name).filter((name) => !doors.has(name)));

function isCallable(name: string): name is CallableRoute {
  return callable.has(name);
}
