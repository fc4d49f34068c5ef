import { createHash } from 'node:crypto';

/** 64 bits: nobody can register tenants until one of them has the prefix of another. */
const SHORT_ID_LENGTH = 16;

/**
 * The beginning of the names of service accounts that the service impersonates for a tenant. All prefixes have the same
 * length, so none is the beginning of another. Names of service accounts have at most 30 characters.
 */
export function googlePrincipalPrefix(tenantId: string): string {
  const digest = createHash('sha256').update(`google principal\0${tenantId}`).digest('hex');
  return `cspm-${digest.slice(0, SHORT_ID_LENGTH)}`;
}
