import { budgetOf } from './budget.ts';
import type { Credential } from './core.ts';
import type { ClientOptions } from './options.ts';

/** A credential that is the same for every request; undefined when the options have none. */
export function fixedCredential(origin: string, options: ClientOptions): Credential | undefined {
  const { apiKey, masterKey, reason } = options;
  const secret = apiKey ?? masterKey;
  if (!secret) return undefined;
  return {
    budget: budgetOf(origin, secret),
    sign(headers) {
      headers[masterKey ? 'x-master-key' : 'x-api-key'] = secret;
      if (reason) headers['x-break-glass-reason'] = reason;
      return undefined;
    },
  };
}
