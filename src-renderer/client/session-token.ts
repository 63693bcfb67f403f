/** The part of `Storage` that is used; private windows may throw on it. */
export interface TokenStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface SessionToken {
  get(): string | undefined;
  set(token: string): void;
  clear(): void;
}

const storageKey = 'strata.session';

/** Keeps the inspector's session token over reloads; where storage is switched off, until the page is closed. */
export function createSessionToken(storage: TokenStorage | undefined): SessionToken {
  let kept = read(storage);
  return {
    // Another tab may have signed in since: storage is asked again while this page has no token.
    get: () => (kept ??= read(storage)),
    set(token) {
      kept = token;
      write(() => storage?.setItem(storageKey, token));
    },
    clear() {
      kept = undefined;
      write(() => storage?.removeItem(storageKey));
    },
  };
}

function read(storage: TokenStorage | undefined): string | undefined {
  try {
    return storage?.getItem(storageKey) ?? undefined;
  } catch {
    // Storage is switched off for this page; the token then lives as long as the page.
    return undefined;
  }
}

function write(change: () => void): void {
  try {
    change();
  } catch {
    // As above: the token in memory is enough for this page.
  }
}
