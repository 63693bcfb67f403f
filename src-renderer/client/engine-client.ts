import type { z } from 'zod';
import type { LiveEvent } from '../../src-shared/model/events.ts';
import type { RouteName, TransportRoute } from '../../src-shared/protocol/api.ts';
import type { routes } from '../../src-shared/protocol/routes.ts';

type AnyRoute = (typeof routes)[number];

/** Routes that both transports answer. */
export type ApiRouteName = Exclude<RouteName, TransportRoute>;

export type RouteNamed<N extends ApiRouteName> = Extract<AnyRoute, { readonly name: N }>;

/** What a caller writes: the parts as they are before parsing, so defaults may be left out. */
export interface CallInput<N extends ApiRouteName> {
  readonly params?: z.input<RouteNamed<N>['params']>;
  readonly query?: z.input<RouteNamed<N>['query']>;
  readonly body?: z.input<RouteNamed<N>['body']>;
  /** Gives up the call; it then fails as `unreachable`. */
  readonly signal?: AbortSignal;
}

/** A call's input with the route forgotten; how the implementations see it. */
export interface AnyCallInput {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export type Reply<N extends ApiRouteName> = z.output<RouteNamed<N>['reply']>;

/**
 * The live stream's own state.
 * - `connecting`: the first connection is being made
 * - `live`: events arrive as they happen
 * - `reconnecting`: the connection was lost; `attempt` counts from 1, the next try is at `nextTryAt` (ms since epoch)
 * - `signed_out`: the daemon no longer accepts this page's session
 */
export type LinkState =
  | { readonly status: 'connecting' | 'live' | 'signed_out' }
  | { readonly status: 'reconnecting'; readonly attempt: number; readonly since: number; readonly nextTryAt: number };

/** The one way from the page to the engine; HTTP and Electron's IPC are two implementations. */
export interface EngineClient {
  readonly transport: 'http' | 'ipc';
  /** @throws ClientError */
  call<N extends ApiRouteName>(name: N, input?: CallInput<N>): Promise<Reply<N>>;
  /** Opens the live stream until the returned function is called. Both callbacks are called outside of this call. */
  subscribe(onEvent: (event: LiveEvent) => void, onState: (state: LinkState) => void): () => void;
  /** Skips the waiting time before the next attempt to reconnect. */
  reconnectNow(): void;
}
