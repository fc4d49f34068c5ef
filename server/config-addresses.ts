import { isIP } from 'node:net';

/** Whether a response from there cannot be replaced on the way: it comes by HTTPS, or from this machine. */
export function isConfidential(url: URL): boolean {
  return url.protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}

/** `192.0.2.1`, `192.0.2.1:53`, `2001:db8::1` or `[2001:db8::1]:53`. */
export function isServerAddress(value: string): boolean {
  if (isIP(value) !== 0) return true;
  const [, v6, v4, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+)):(\d{1,5})$/.exec(value) ?? [];
  return isIP(v6 ?? v4 ?? '') !== 0 && Number(port) > 0 && Number(port) < 65_536;
}

/** Whether the text is the origin of a page, as browsers send it in the header `Origin`. */
export function isOrigin(value: string): boolean {
  // URL takes an asterisk for a host name, but no browser ever sends it, so it would silently match nothing.
  return URL.canParse(value) && new URL(value).origin === value && !value.includes('*');
}
