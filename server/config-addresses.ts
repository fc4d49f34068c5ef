import { isIP } from 'node:net';
import { parseUrl } from './platform/parse-url.ts';

/** Whether a response from there cannot be replaced on the way: it comes by HTTPS, or from this machine. */
export function isConfidential(url: URL): boolean {
  return url.protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}

/** Whether paths can be appended to the URL. True for an invalid URL, which is another fault. */
export function isBaseUrl(value: string): boolean {
  const url = parseUrl(value);
  if (url === null) return true;
  const { username, password } = url;
  return username === '' && password === '' && !/[?#]/.test(value);
}

/** Whether the URL has a host: `smtp://` and `smtp:mail` have none. True for an invalid URL, which is another fault. */
export function namesHost(value: string): boolean {
  return parseUrl(value)?.hostname !== '';
}

/**
 * Whether no parameter is another spelling of `requireTLS`, which the mail library would ignore. True for an invalid URL, which is
 * another fault.
 */
export function spellsRequireTls(value: string): boolean {
  const url = parseUrl(value);
  if (url === null) return true;
  const isMisspelled = (name: string) =>
    name !== 'requireTLS' && name.toLowerCase().replace(/[^a-z]/g, '') === 'requiretls';
  return ![...url.searchParams.keys()].some(isMisspelled);
}

/** `192.0.2.1`, `192.0.2.1:53`, `2001:db8::1` or `[2001:db8::1]:53`. */
export function isServerAddress(value: string): boolean {
  if (isIP(value) !== 0) return true;
  const [, v6, v4, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+)):(\d{1,5})$/.exec(value) ?? [];
  return isIP(v6 ?? v4 ?? '') !== 0 && Number(port) > 0 && Number(port) < 65_536;
}

/** `192.0.2.1`, `10.0.0.0/8`, `10.0.0.0/255.0.0.0` or `2001:db8::/32`: what Express accepts as trusted proxies. */
export function isProxyRange(value: string): boolean {
  const [address = '', range, ...more] = value.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  if (range === undefined) return true;
  if (/^\d{1,3}$/.test(range))
    return Number(range) > 0 && Number(range) <= (version === 4 ? 32 : 128);
  return version === 4 && isNetmask(range);
}

/** Ones, then zeros. */
function isNetmask(value: string): boolean {
  if (isIP(value) !== 4) return false;
  const bits = value.split('.').map((octet) => Number(octet).toString(2).padStart(8, '0'));
  return /^1+0*$/.test(bits.join(''));
}

/** Whether the text is the origin of a page, as browsers send it in the header `Origin`. */
export function isOrigin(value: string): boolean {
  // URL takes an asterisk for a host name, but no browser ever sends it, so it would silently match nothing.
  return parseUrl(value)?.origin === value && !value.includes('*');
}
