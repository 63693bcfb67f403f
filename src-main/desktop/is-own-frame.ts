import { isAppUrl } from './app-origin.ts';

/** What is read of `event.senderFrame`. */
export interface SenderFrame {
  readonly url: string;
  readonly parent: unknown;
}

/** Only the top frame of our own page may call. The frame is null when it navigated away or is gone. */
export function isOwnFrame(frame: SenderFrame | null): boolean {
  return frame !== null && frame.parent === null && isAppUrl(frame.url);
}
