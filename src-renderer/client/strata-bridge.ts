/** What the desktop app's preload puts on `window`: the only thing that this page sees of Electron. */
export interface StrataBridge {
  call(name: string, input: unknown): Promise<BridgeAnswer>;
  /** Calls `listener` with every live event; the returned function ends that. */
  onEvent(listener: (event: unknown) => void): () => void;
  readonly info: unknown;
}

export type BridgeAnswer =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly error: { readonly code: string; readonly message: string; readonly details?: unknown };
    };

/** The bridge, when this page runs in the desktop app. */
export function findBridge(window: object): StrataBridge | undefined {
  const bridge = (window as { readonly strata?: unknown }).strata;
  if (typeof bridge !== 'object' || bridge === null) return undefined;
  const { call, onEvent } = bridge as { call?: unknown; onEvent?: unknown };
  // The preload is ours and of the same build; what is checked here is that it is the preload at all.
  return typeof call === 'function' && typeof onEvent === 'function' ? (bridge as StrataBridge) : undefined;
}
