import type { z } from 'zod';
import type { routes } from './routes.ts';

type AnyRoute = (typeof routes)[number];

export type RouteName = AnyRoute['name'];

/** Parsed parts of one request: path parameters, query and body. */
export interface RouteInput<R extends AnyRoute = AnyRoute> {
  readonly params: z.output<R['params']>;
  readonly query: z.output<R['query']>;
  readonly body: z.output<R['body']>;
}

/** The routes whose answers do not depend on the transport; HTTP and IPC both serve them from this object. */
export type EngineApi = {
  readonly [R in AnyRoute as R['name'] extends TransportRoute ? never : R['name']]: (
    input: RouteInput<R>,
  ) => Promise<z.output<R['reply']>>;
};

/** Answered by the door itself: the stream and the sign-in of the inspector. */
export type TransportRoute = 'events' | 'inspectorLink' | 'inspectorSession';
