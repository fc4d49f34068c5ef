/** Hosts whose plain http browsers treat as secure. */
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** 32 random bytes in base64url: the form of every cookie value of this service. */
const VALUE = /^[A-Za-z0-9_-]{43}$/;

/**
 * Whether browsers keep `Secure` cookies of the service: over https, and over http on the machine itself.
 * @param webUrl where people reach the service.
 */
export function keepsSecureCookies(webUrl: string): boolean {
  const { protocol, hostname } = new URL(webUrl);
  return protocol === 'https:' || LOOPBACK_HOSTS.includes(hostname);
}

/**
 * @param header the `Cookie` header of a request (RFC 6265 §4.2).
 * @returns the first well-formed value under the name, or null.
 */
export function cookieValue(header: string | undefined, name: string): string | null {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at === -1 || pair.slice(0, at).trim() !== name) continue;
    const value = pair.slice(at + 1).trim();
    if (VALUE.test(value)) return value;
  }
  return null;
}
