// What other modules may import from this one, in addition to queries.ts.
export { mayGetDigest } from './digest-recipient.ts';
export { noteSerious, queueDigests } from './serious-findings.ts';
export { Unsubscribe } from './unsubscribe.ts';
