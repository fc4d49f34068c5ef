// What other modules may import from this one, in addition to queries.ts.
export { type EventData, fitting, queueEvent, queueSourceFailed, shortened } from './events.ts';
