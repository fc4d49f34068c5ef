/**
 * The public URL of the service. It comes from the configuration or from the server's own listener, never from a
 * request: a forged Host header must not control the links in our mails.
 */
export class WebAddress {
  #url: string | null;

  /** @param configured without a trailing slash; null: the address of the listener, once it listens. */
  constructor(configured: string | null) {
    this.#url = configured;
  }

  /** Sets the address of the listener, used unless a URL is configured. */
  listensAt(url: string): void {
    this.#url ??= url;
  }

  /** Whether a URL is configured or the server listens. */
  get isKnown(): boolean {
    return this.#url !== null;
  }

  /** @throws {Error} when the server does not listen yet and no URL is configured. */
  get url(): string {
    if (this.#url === null) throw new Error('The URL of the service is not known yet');
    return this.#url;
  }

  /** The URL of a page with its parameters. */
  page(path: `/${string}`, parameters: Readonly<Record<string, string>> = {}): string {
    const search = new URLSearchParams(parameters).toString();
    return `${this.url}${path}${search === '' ? '' : `?${search}`}`;
  }
}
