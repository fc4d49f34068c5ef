import { domainToASCII } from 'node:url';

const MAX_LENGTH = 253;
const LABELS = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** Top-level domains that the public DNS does not delegate (RFC 6761, RFC 6762, RFC 7686, RFC 8375, ICANN). */
const NOT_PUBLIC = new Set(['local', 'localhost', 'internal', 'invalid', 'onion', 'arpa']);

/**
 * Normalizes a domain name: lower case, international names in ASCII form (RFC 5891).
 * @returns null for a name that cannot be a mail domain: a bare top-level domain, an address, or a name outside the
 * public DNS.
 */
export function normalDomain(given: string): string | null {
  const name = domainToASCII(given.toLowerCase());
  if (name.length > MAX_LENGTH || !LABELS.test(name)) return null;
  const top = name.slice(name.lastIndexOf('.') + 1);
  return NOT_PUBLIC.has(top) ? null : name;
}
