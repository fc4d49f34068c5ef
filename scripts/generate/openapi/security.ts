import type { CredentialKind, RoutePolicy } from '@cspm/contract';
import type { SecuritySchemeObject } from './types.ts';

/** How each kind of credential is sent: the name of its security scheme. */
const SCHEME_OF = { jwt: 'bearerAuth', api_key: 'apiKey' } as const satisfies Record<
  CredentialKind,
  string
>;

type SchemeName = (typeof SCHEME_OF)[CredentialKind];

export const SECURITY_SCHEMES: Record<SchemeName, SecuritySchemeObject> = {
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a session, from `POST /auth/login`. Good for 15 minutes.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description:
      'A per-user API key: `cspm_…`. It carries the current permissions of its owner. Recommended for automation.',
  },
};

/** One of these will do; none is looked at where the list is empty. */
export function securityOf(policy: RoutePolicy): Record<string, string[]>[] {
  if (policy.credentials === 'public') return [];
  return policy.credentials.map((kind) => ({ [SCHEME_OF[kind]]: [] }));
}
