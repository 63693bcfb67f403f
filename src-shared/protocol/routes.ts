import { assembleRoute, prefetchRoute } from './assemble.ts';
import { breakpointsRoute, deleteBreakpointRoute, putBreakpointRoute, resumeBreakpointRoute } from './breakpoints.ts';
import { bundleRoute } from './bundle.ts';
import { callMessagesRoute, callRoute } from './calls.ts';
import { checkpointRoute, dissolveRoute, rerunRoute, restoreRoute } from './checkpoints.ts';
import { compactRoute, prepareCompactionRoute } from './compact.ts';
import { eventsRoute } from './events.ts';
import { fixtureRoute } from './fixture.ts';
import { healthRoute } from './health.ts';
import { inspectorLinkRoute, inspectorSessionRoute } from './inspector-session.ts';
import { kindsRoute } from './kinds.ts';
import { minimalBudgetRoute, replayRoute } from './replay.ts';
import { pageUsesRoute } from './page-uses.ts';
import { cancelJobRoute, jobRoute, jobsRoute, retryJobRoute } from './jobs.ts';
import {
  hostEventsRoute,
  maintainRoute,
  sessionEndRoute,
  subagentEndedRoute,
  subagentPrepareRoute,
} from './lifecycle.ts';
import { memoryForgetRoute, memoryRecallRoute, memoryStoreRoute } from './memory-tools.ts';
import {
  deletePageRoute,
  memoryOperationsRoute,
  pageHistoryRoute,
  pageRoute,
  pagesRoute,
  renamePageRoute,
  reindexRoute,
  restorePageRoute,
  retryOutboxRoute,
  savePageRoute,
  undoMemoryOperationRoute,
} from './pages.ts';
import {
  exportRoute,
  importRoute,
  sessionCallsRoute,
  sessionCheckpointsRoute,
  sessionRoute,
  sessionsRoute,
  sessionTurnsRoute,
} from './sessions.ts';
import { toolResultRoute } from './tool-result.ts';
import { memoryExpandRoute } from './tools.ts';
import { afterTurnRoute, bootstrapRoute, commitTurnRoute, ingestRoute } from './turns.ts';
import { whereRoute } from './where.ts';
import { wireRoute } from './wire.ts';
import { searchRoute } from './search.ts';

/** Every route of the daemon but `/openapi.json` and the inspector's files. */
export const routes = [
  healthRoute,
  bootstrapRoute,
  ingestRoute,
  commitTurnRoute,
  afterTurnRoute,
  prefetchRoute,
  assembleRoute,
  prepareCompactionRoute,
  compactRoute,
  maintainRoute,
  sessionEndRoute,
  subagentPrepareRoute,
  subagentEndedRoute,
  hostEventsRoute,
  toolResultRoute,
  memoryExpandRoute,
  memoryRecallRoute,
  memoryStoreRoute,
  memoryForgetRoute,
  sessionsRoute,
  importRoute,
  sessionRoute,
  sessionTurnsRoute,
  sessionCheckpointsRoute,
  sessionCallsRoute,
  exportRoute,
  checkpointRoute,
  dissolveRoute,
  restoreRoute,
  rerunRoute,
  callRoute,
  callMessagesRoute,
  replayRoute,
  minimalBudgetRoute,
  wireRoute,
  fixtureRoute,
  bundleRoute,
  whereRoute,
  breakpointsRoute,
  putBreakpointRoute,
  deleteBreakpointRoute,
  resumeBreakpointRoute,
  kindsRoute,
  pagesRoute,
  pageRoute,
  savePageRoute,
  deletePageRoute,
  pageHistoryRoute,
  pageUsesRoute,
  restorePageRoute,
  renamePageRoute,
  reindexRoute,
  retryOutboxRoute,
  searchRoute,
  memoryOperationsRoute,
  undoMemoryOperationRoute,
  jobsRoute,
  jobRoute,
  retryJobRoute,
  cancelJobRoute,
  eventsRoute,
  inspectorLinkRoute,
  inspectorSessionRoute,
] as const;
