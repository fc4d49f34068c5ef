import { budgetOf } from './budget.ts';
import type { Credential } from './core.ts';
import type { ClientOptions } from './options.ts';

/**
 * A credential that is the same for every request; undefined when the options have none.
 * @throws {TypeError} for a key with characters that no header can have, such as an ellipsis copied with a placeholder.
 */
export function fixedCredential(origin: string, options: ClientOptions): Credential | undefined {
  const { apiKey, masterKey, reason } = options;
  const secret = apiKey ?? masterKey;
  if (!secret) return undefined;
  if (/[^\t-\xff]/.test(secret)) throw new TypeError('key cannot be a header');
  return {
    budget: budgetOf(origin, secret),
    sign(headers) {
      headers[masterKey ? 'x-master-key' : 'x-api-key'] = secret;
      if (reason) headers['x-break-glass-reason'] = reason;
      return undefined;
    },
  };
}
