/** Modules of the host that are imported lazily; what they export is checked where it is used. */
declare module 'openclaw/plugin-sdk/core';
declare module 'openclaw/plugin-sdk/session-transcript-runtime';
