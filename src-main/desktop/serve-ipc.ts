import type { IpcMain, WebContents } from 'electron';
import { answerCall } from './answer-call.ts';
import type { EngineLink } from './engine-link.ts';
import { callChannel, eventChannel, subscribeChannel } from './ipc-channels.ts';
import { isOwnFrame } from './is-own-frame.ts';

/** The IPC door over the engine: one call channel, one stream of events per window that asked for it. */
export function serveIpc(ipcMain: IpcMain, link: EngineLink): void {
  const listening = new WeakSet<WebContents>();
  ipcMain.handle(callChannel, (event, name: unknown, input: unknown) =>
    answerCall(link, event.senderFrame, name, input),
  );
  ipcMain.on(subscribeChannel, (event) => {
    const window = event.sender;
    if (!isOwnFrame(event.senderFrame) || listening.has(window)) return;
    listening.add(window);
    const stop = link.subscribe((live) => {
      if (!window.isDestroyed()) window.send(eventChannel, live);
    });
    window.once('destroyed', stop);
  });
}
