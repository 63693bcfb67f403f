import type { TranscriptReader } from './catch-up.ts';

/**
 * The host's own reader of transcripts: the only way to them that works on every host that has one. Imported lazily,
 * since hosts before 2026.8 have the module without the function, or not at all.
 */
export async function loadTranscriptReader(): Promise<TranscriptReader | undefined> {
  try {
    const module: unknown = await import('openclaw/plugin-sdk/session-transcript-runtime');
    if (typeof module !== 'object' || module === null || !('readSessionTranscriptVisibleMessageDelta' in module))
      return undefined;
    const read = module.readSessionTranscriptVisibleMessageDelta;
    if (typeof read !== 'function') return undefined;
    // A function of the host: its answer is checked where it is used.
    return read as TranscriptReader;
  } catch {
    // An older host: its catch-up happens in afterTurn.
    return undefined;
  }
}
