import type { ReplayChanges } from '../../../src-shared/protocol/replay.ts';

/** The call as it was. */
export const noChanges: ReplayChanges = { pins: [], exclude: [] };
