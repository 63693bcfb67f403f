import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import { callChannel, eventChannel, subscribeChannel } from './ipc-channels.ts';

/** All that the page sees of this program. Event objects never cross: they would carry `sender` along. */
contextBridge.exposeInMainWorld('strata', {
  call: (name: string, input: unknown): Promise<unknown> => ipcRenderer.invoke(callChannel, name, input),
  onEvent: (listener: (event: unknown) => void): (() => void) => {
    const forward = (_event: IpcRendererEvent, event: unknown): void => listener(event);
    ipcRenderer.on(eventChannel, forward);
    ipcRenderer.send(subscribeChannel);
    return () => {
      ipcRenderer.removeListener(eventChannel, forward);
    };
  },
  info: { platform: process.platform, electron: process.versions.electron, chrome: process.versions.chrome },
});
