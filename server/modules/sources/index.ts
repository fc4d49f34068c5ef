// What other modules and the composition root may import from this one, in addition to queries.ts.
export { resealedKey } from './credential.ts';
export { GoogleClients, type GoogleSettings } from './google-clients.ts';
export { SOURCE_CHECK_SLOTS } from './handlers.ts';
export { findAwaited, findPullInProgress, insertPullRow, queueTurn } from './pull-queries.ts';
export { PullTask } from './pull-task.ts';
