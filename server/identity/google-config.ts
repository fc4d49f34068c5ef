/** Whose ID tokens are taken. */
export interface GoogleConfig {
  /** What this service is to the issuer: the audience of its tokens. */
  readonly clientId: string;
  /** Without a slash at the end. */
  readonly issuer: string;
}

export const GOOGLE_ISSUER = 'https://accounts.google.com';
