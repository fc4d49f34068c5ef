/** The date from which it is deprecated, as a structured date (RFC 9745 §2.1): 1 January 2026. */
export const GLOBAL_KEY_DEPRECATION = '@1767225600';
