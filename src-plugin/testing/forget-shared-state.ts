/** What a new process would not know. */
export function forgetSharedState(): void {
  Reflect.deleteProperty(globalThis, Symbol.for('strata.openclaw-plugin/2'));
}
