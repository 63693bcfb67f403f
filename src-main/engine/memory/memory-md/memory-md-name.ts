/**
 * Which file of the workspace is its MEMORY.md: by the exact name in the directory's listing, else the legacy
 * `memory.md`. A file system without case opens either name, so asking for both would read one file twice.
 */
export function memoryMdName(names: readonly string[]): 'MEMORY.md' | 'memory.md' | undefined {
  if (names.includes('MEMORY.md')) return 'MEMORY.md';
  return names.includes('memory.md') ? 'memory.md' : undefined;
}
