/** One line of the doctor: what was looked at, how it is, and what to do about it. */
export interface Check {
  /** Stable name for scripts. */
  readonly id: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly message: string;
  readonly remedy?: string;
}

export const ok = (id: string, message: string): Check => ({ id, state: 'ok', message });

export const warning = (id: string, message: string, remedy: string): Check => ({
  id,
  state: 'warning',
  message,
  remedy,
});

export const failed = (id: string, message: string, remedy: string): Check => ({
  id,
  state: 'failed',
  message,
  remedy,
});
