import type { Credential } from './core.ts';
import type { ClientOptions } from './options.ts';

/**
 * A credential that is the same for every request; undefined: there is none of that kind.
 * @throws {TypeError} for credentials that do not go together, which only callers without types can pass.
 */
export function fixedCredential(options: ClientOptions): Credential | undefined {
  const { apiKey, session, masterKey, reason } = options;
  if ([apiKey, session, masterKey].filter(Boolean).length > 1 || !masterKey !== !reason) {
    throw new TypeError('Conflicting credentials');
  }
  const secret = apiKey ?? masterKey;
  if (secret === undefined) return undefined;
  return {
    principal: fingerprint(secret),
    sign(headers) {
      headers[masterKey ? 'x-master-key' : 'x-api-key'] = secret;
      if (reason) headers['x-break-glass-reason'] = reason;
      return undefined;
    },
  };
}

/** Tells credentials apart without holding on to them. Two that fall together merely share a retry budget. */
export function fingerprint(secret = ''): number {
  let hash = 0;
  for (const character of secret) hash = (hash * 31 + character.charCodeAt(0)) | 0;
  return hash;
}
