import { isIP } from 'node:net';
import { parseUrl } from '../../platform/parse-url.ts';
import { type AddressPolicy, isLoopback } from './address-policy.ts';

const HTTPS_PORT = 443;
/** Ports below belong to services of systems, which must not be reached in the name of a tenant. */
const MIN_PORT = 1024;

/** Names of metadata services of clouds. */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.goog',
  'metadata.google.internal',
  'instance-data',
  'instance-data.ec2.internal',
]);

/**
 * Why a URL cannot be the target of a webhook, as far as the URL itself tells; null if it can. The addresses of a host
 * name are checked at each delivery, because they can change.
 */
export function targetFault(text: string, addresses: AddressPolicy): string | null {
  const url = parseUrl(text);
  if (url === null) return 'must be a URL';
  const host = hostOf(url);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must be an https:// URL';
  if (url.protocol === 'http:' && !(addresses.loopback && isLocal(host))) {
    return 'must be an https:// URL';
  }
  if (url.username !== '' || url.password !== '') return 'must not contain credentials';
  if (url.hash !== '') return 'must not contain a fragment';
  const port = portOf(url);
  if (port !== HTTPS_PORT && port < MIN_PORT) {
    return `must have port ${HTTPS_PORT}, or a port from ${MIN_PORT}`;
  }
  const isRefused =
    isIP(host) === 0
      ? METADATA_NAMES.has(host) || (isLocalName(host) && !addresses.loopback)
      : !addresses.allows(host);
  return isRefused ? 'must have a public host' : null;
}

/** The host without the brackets of IPv6 and without the final dot of a name. */
export function hostOf({ hostname }: URL): string {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return hostname.replace(/\.+$/, '');
}

export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? HTTPS_PORT : 80;
}

/** `localhost` and names below it mean this machine (RFC 6761 §6.3). */
export function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

function isLocal(host: string): boolean {
  return isLocalName(host) || isLoopback(host);
}
