import { cookieValue, keepsSecureCookies } from './browser-cookie.ts';
import { REFRESH_IDLE_SECONDS } from './refresh-token.ts';

/**
 * The cookie that carries the refresh token of a browser session (ASVS 5.0, 3.3.1 to 3.3.4). Scripts cannot read it, other
 * sites cannot make a browser send it, and it authenticates no request but a refresh and a logout.
 *
 * Where people reach the service by plain http on another host than the machine itself, browsers keep no `Secure` cookie:
 * there it has a name without the prefix and no `Secure`.
 */
export class SessionCookie {
  readonly name: string;
  readonly #attributes: string;

  /** @param webUrl where people reach the service. */
  constructor(webUrl: string) {
    const isSecure = keepsSecureCookies(webUrl);
    this.name = isSecure ? '__Host-cspm_session' : 'cspm_session';
    this.#attributes = `Path=/; ${isSecure ? 'Secure; ' : ''}HttpOnly; SameSite=Strict`;
  }

  /** @param header the `Cookie` header of a request. @returns the refresh token, or null. */
  tokenIn(header: string | undefined): string | null {
    return cookieValue(header, this.name);
  }

  /** The `Set-Cookie` header that keeps a refresh token for as long as it can be used. */
  keep(refreshToken: string): string {
    return `${this.name}=${refreshToken}; ${this.#attributes}; Max-Age=${REFRESH_IDLE_SECONDS}`;
  }

  /** The `Set-Cookie` header that deletes the cookie. */
  get clear(): string {
    return `${this.name}=; ${this.#attributes}; Max-Age=0`;
  }
}
