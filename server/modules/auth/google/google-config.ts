/** The issuer whose ID tokens are accepted. */
export interface GoogleConfig {
  /** Client id of this service at the issuer; the expected audience of its tokens. */
  readonly clientId: string;
  /** Issuer URL without a trailing slash. */
  readonly issuer: string;
  /** The authorization endpoint, where browsers are redirected to sign in. Null: no sign-in by redirect. */
  readonly authUrl: string | null;
}

export const GOOGLE_ISSUER = 'https://accounts.google.com';
export const GOOGLE_AUTH_URL = 'https://accounts.google.com/o/oauth2/v2/auth';
