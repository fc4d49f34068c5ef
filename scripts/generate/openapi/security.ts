import type { CredentialKind, RoutePolicy } from '@cspm/contract';
import type { SecuritySchemeObject } from './types.ts';

/** How each kind of credential is sent: the name of its security scheme. */
const SCHEME_OF = {
  jwt: 'bearerAuth',
  api_key: 'apiKey',
  global_api_key: 'apiKey',
  master_key: 'masterKey',
} as const satisfies Record<CredentialKind, string>;

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
      'A per-user API key: `cspm_…`. It carries the current permissions of its owner. Recommended for automation. A key of another form is the global one, which an operator may have configured: deprecated (RFC 9745), and of a restricted role.',
  },
  masterKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Master-Key',
    description:
      'The break-glass credential, off unless an operator turns it on: for repairing who may do what in the one tenant that `X-Tenant-ID` names, with the reason in `X-Break-Glass-Reason`. Ten attempts in an hour and address; it dies an hour after its first use.',
  },
};

/** One of these will do; none is looked at where the list is empty. */
export function securityOf(policy: RoutePolicy): Record<string, string[]>[] {
  if (policy.credentials === 'public') return [];
  const schemes = new Set(policy.credentials.map((kind) => SCHEME_OF[kind]));
  return [...schemes].map((scheme) => ({ [scheme]: [] }));
}
