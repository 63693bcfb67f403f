/** Thrown by a handler when trying again cannot help: the job is dead at once, with this message. */
export class PermanentJobError extends Error {
  override readonly name = 'PermanentJobError';
}
