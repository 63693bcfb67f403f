import type { Clock } from '../ports/clock.ts';

export interface ScriptedClock extends Clock {
  /** May go back, as machines' clocks do. */
  set(ms: number): void;
  advance(ms: number): void;
}

/** Time stands still unless it is moved; ids are counted per kind: `turn_1`, `turn_2` … */
export function scriptedClock(start: number = Date.parse('2026-11-02T10:00:00Z')): ScriptedClock {
  let time = start;
  const counts = new Map<string, number>();
  return {
    now: () => time,
    newId: (kind) => {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      return `${kind}_${count}`;
    },
    set: (ms) => {
      time = ms;
    },
    advance: (ms) => {
      time += ms;
    },
  };
}
