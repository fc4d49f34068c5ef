import { createHash, randomBytes } from 'node:crypto';
import { cookieValue, keepsSecureCookies } from './browser-cookie.ts';

/** 10 minutes for the identity provider, 1 minute for the code, and a margin. */
const MAX_AGE_SECONDS = 15 * 60;
const VALUE_BYTES = 32;

/** Identifies the browser that started a sign-in, by a cookie. */
export interface SignInBrowser {
  /** SHA-256 of the cookie in base64url; the cookie itself is not stored. */
  readonly hash: string;
  /** The `Set-Cookie` header of the response. */
  readonly setCookie: string;
}

/**
 * The cookie that binds a federated sign-in to the browser that started it. All tabs of a browser share one value. It
 * only identifies the browser and is useless without a response of the identity provider.
 * It is `__Host-`, `Secure` and `SameSite=None`, because the response arrives as a POST from the provider's site. Where
 * the service is reached by plain http on a host other than loopback, browsers drop `Secure` cookies. There it is
 * `SameSite=Lax` without the prefix; browsers then omit it from that POST, and only the exchange checks it.
 */
export class SignInCookie {
  readonly name: string;
  /** Whether browsers send the cookie with the identity provider's response. */
  readonly isSentAcrossSites: boolean;

  /** @param webUrl public address of the web application. */
  constructor(webUrl: string) {
    this.isSentAcrossSites = keepsSecureCookies(webUrl);
    this.name = this.isSentAcrossSites ? '__Host-cspm_sign_in' : 'cspm_sign_in';
  }

  /** @param header the `Cookie` header of a request. @returns the hash of its value, or null when there is none. */
  hashIn(header: string | undefined): string | null {
    const value = cookieValue(header, this.name);
    return value === null ? null : hashOf(value);
  }

  /**
   * Whether a cross-site POST comes from the browser that started the sign-in. Where browsers do not send the cookie with
   * it, the exchange of the code checks the browser instead.
   */
  isFrom(browserHash: string, header: string | undefined): boolean {
    const hash = this.hashIn(header);
    return hash === null ? !this.isSentAcrossSites : hash === browserHash;
  }

  /** Returns the browser of a request, with a new cookie if it had none. */
  begin(header: string | undefined): SignInBrowser {
    const value = cookieValue(header, this.name) ?? randomBytes(VALUE_BYTES).toString('base64url');
    const scope = this.isSentAcrossSites ? 'Secure; SameSite=None' : 'SameSite=Lax';
    const setCookie = `${this.name}=${value}; Path=/; HttpOnly; ${scope}; Max-Age=${MAX_AGE_SECONDS}`;
    return { hash: hashOf(value), setCookie };
  }
}

function hashOf(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}
