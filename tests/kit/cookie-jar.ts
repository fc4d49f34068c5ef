/** The cookies of one browser for one service. */
export class CookieJar {
  readonly #cookies = new Map<string, string>();

  /** The headers to send with a request. */
  get headers(): Record<string, string> {
    if (this.#cookies.size === 0) return {};
    return { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  }

  /** Stores the cookies that a response sets. */
  take(headers: Headers): void {
    for (const cookie of headers.getSetCookie()) this.keep(cookie);
  }

  /** @param setCookie the value of a `Set-Cookie` header. */
  keep(setCookie: string): void {
    const [pair = ''] = setCookie.split(';', 1);
    const at = pair.indexOf('=');
    this.#cookies.set(pair.slice(0, at).trim(), pair.slice(at + 1).trim());
  }
}

/** The browser of tests for which the browser does not matter. */
export const sharedBrowser = new CookieJar();
