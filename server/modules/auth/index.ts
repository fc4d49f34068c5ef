// What other modules may import from this one, in addition to queries.ts.
export { apiKeyPrefix, newApiKey } from './credentials/api-key.ts';
export type { Authenticator } from './credentials/authenticate.ts';
export { MAIL_TOKEN_LIFE_SECONDS, type MailTokens } from './mail-links/mail-tokens.ts';
export { stillStands } from './reauthorize.ts';
export { holdSession } from './sessions/hold-member.ts';
