/** The key of everything that is loaded about webhooks. */
export const WEBHOOKS = ['webhooks'];
