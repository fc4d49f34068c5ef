/**
 * Where people reach the service with a browser. It comes from the configuration or from the server's own listener and
 * never from a request: whoever writes a Host header does not choose where the links in our mails lead.
 */
export class WebAddress {
  #url: string | null;

  /** @param configured without a slash at the end; null: the server itself, as soon as it listens. */
  constructor(configured: string | null) {
    this.#url = configured;
  }

  /** Says where the server listens, which counts unless an address is configured. */
  listensAt(url: string): void {
    this.#url ??= url;
  }

  /** @throws {Error} when the server does not listen yet and nothing is configured. */
  get url(): string {
    if (this.#url === null) throw new Error('The address of the service is not known yet');
    return this.#url;
  }

  /** The address of a page, with its parameters. */
  page(path: `/${string}`, parameters: Readonly<Record<string, string>> = {}): string {
    const search = new URLSearchParams(parameters).toString();
    return `${this.url}${path}${search === '' ? '' : `?${search}`}`;
  }
}
