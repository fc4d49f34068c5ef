/** How long load balancers have to notice, and then how long the last requests may take. */
export const DRAIN = { noticeMs: 1_500, deadlineMs: 20_000 };
/** Development has no load balancer. */
export const DEVELOPMENT_DRAIN = { noticeMs: 0, deadlineMs: 2_000 };

/** The longest notice period that leaves time for the rest before STOPS_WITHIN_MS. */
export const MAX_NOTICE_MS = 10_000;

/** When the process exits in any case. The documentation tells orchestrators to wait 40 s. */
export const STOPS_WITHIN_MS = 35_000;
export const DEVELOPMENT_STOPS_WITHIN_MS = 10_000;
