/** The only source of time and ids inside the engine; tests script it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. May go back when the machine's clock does. */
  now(): number;
  /** A new unique id such as `turn_…`; sortable by creation is not promised. */
  newId(kind: 'sess' | 'turn' | 'call' | 'ckpt' | 'job' | 'worker' | 'resv' | 'op'): string;
}
