/** The current time in the cases of rules with an age limit. */
export const NOW = new Date('2026-11-20T12:00:00Z');
