import { budgetOf } from './budget.ts';
import type { Credential } from './core.ts';
import { addHeaders } from './headers.ts';
import type { ClientOptions } from './options.ts';

/**
 * A credential that is the same for every request; undefined when the options have none.
 * @throws {ValidationError} for a key or a reason that no header can have, such as an ellipsis copied with a placeholder.
 */
export function fixedCredential(origin: string, options: ClientOptions): Credential | undefined {
  const { apiKey, masterKey, reason } = options;
  const secret = apiKey ?? masterKey;
  if (!secret) return undefined;
  const own = {
    [masterKey ? 'x-master-key' : 'x-api-key']: secret,
    'x-break-glass-reason': reason || undefined,
  };
  addHeaders({}, own);
  return {
    budget: budgetOf(origin, secret),
    sign: (headers) => void addHeaders(headers, own),
  };
}
