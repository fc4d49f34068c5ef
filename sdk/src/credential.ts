import type { Credential } from './core.ts';
import type { ClientOptions } from './options.ts';

/**
 * A credential that is the same for every request; undefined: there is none of that kind.
 * @throws {TypeError} for credentials that do not go together, which only callers without types can pass.
 */
export function fixedCredential(options: ClientOptions): Credential | undefined {
  const { apiKey, session, masterKey, reason } = options;
  if ([apiKey, session, masterKey].filter(Boolean).length > 1 || !masterKey !== !reason) {
    throw new TypeError('One credential at most; a master key with a reason');
  }
  const secret = apiKey ?? masterKey;
  if (secret === undefined) return undefined;
  return {
    principal: fingerprint(secret),
    sign(headers) {
      headers.set(masterKey ? 'x-master-key' : 'x-api-key', secret);
      if (reason) headers.set('x-break-glass-reason', reason);
      return undefined;
    },
    renew: async () => false,
  };
}

/**
 * Tells credentials apart without holding on to them (FNV-1a, 32 bit). Two that fall together merely share a retry
 * budget.
 */
export function fingerprint(secret = ''): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < secret.length; at += 1) {
    hash = Math.imul(hash ^ secret.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
