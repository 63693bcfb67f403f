type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** The record without the keys whose value is undefined: what is not said is not there. */
export function present<T extends object>(record: T): Present<T> {
  // Only keys without a value go, which the type says; fromEntries forgets the types of the others.
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Present<T>;
}
