/** How long a load balancer may take to notice, and how long the last requests may then take. */
export const DRAIN = { noticeMs: 1_500, deadlineMs: 20_000 };
/** On a developer's machine nobody balances loads. */
export const DEVELOPMENT_DRAIN = { noticeMs: 0, deadlineMs: 2_000 };

/** Less than the 40 s that orchestrators are told to wait; and for an end of the job that a worker is at. */
export const STOPS_WITHIN_MS = 35_000;
export const DEVELOPMENT_STOPS_WITHIN_MS = 10_000;
