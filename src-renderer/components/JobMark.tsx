import type { JobState } from '../../src-shared/model/job.ts';
import { jobStateWord } from '../model/job-words.ts';
import { Mark } from './Mark.tsx';

const fills = { queued: 'none', running: 'half', succeeded: 'full', dead: 'cross', cancelled: 'dashed' } as const;

/** Hollow: waits; half: at work; filled: done; crossed: gave up; dashed: cancelled. */
export function JobMark({ state }: { readonly state: JobState }) {
  return <Mark fill={fills[state]} word={jobStateWord(state)} tone={state === 'dead' ? 'warn' : 'plain'} />;
}
