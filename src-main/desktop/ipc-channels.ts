/** Shared by the preload and the main process; nothing else knows them. */
export const callChannel = 'strata:call';
export const eventChannel = 'strata:event';
export const subscribeChannel = 'strata:subscribe';
