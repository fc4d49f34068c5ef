/** A name as `contract/text.ts` allows it. */
export const PROJECT_NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;
