import type { LiveEvent } from '../../src-shared/model/events.ts';
import type { RouteName, TransportRoute } from '../../src-shared/protocol/api.ts';

export type CallableRoute = Exclude<RouteName, TransportRoute>;

/** Parts of a call as the page wrote them, before the schemas of the route. */
export interface RawInput {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** The engine as the window sees it: in this process, or in the daemon that owns the data directory. */
export interface EngineLink {
  readonly kind: 'hosted' | 'attached';
  /** @throws EngineError */
  call(name: CallableRoute, input: RawInput): Promise<unknown>;
  subscribe(listener: (event: LiveEvent) => void): () => void;
  close(): Promise<void>;
}
