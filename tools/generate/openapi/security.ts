import {
  BUILT_IN_ROLES,
  type CredentialKind,
  MASTER_KEY_PERMISSIONS,
  type Permission,
  type RoutePolicy,
} from '@cspm/contract';
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
    description: 'The access token of a session, from `POST /auth/login`. Valid for 15 minutes.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description:
      'A per-user API key: `cspm_…`. It has the current permissions of its owner. Recommended for automation. A key of another form is the global API key, if the operator configured one: deprecated (RFC 9745), with a restricted role.',
  },
  masterKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Master-Key',
    description:
      'The break-glass credential, disabled unless the operator enables it: for repairing access control in the tenant named in `X-Tenant-ID`, with the reason in `X-Break-Glass-Reason`. Limited to ten attempts per hour and address; expires permanently a configured time after its first use, by default one hour.',
  },
};

/** The permissions that kinds of credential without a role of a member have at most. */
const FIXED_PERMISSIONS: Partial<Record<CredentialKind, readonly Permission[]>> = {
  global_api_key: BUILT_IN_ROLES.analyst,
  master_key: MASTER_KEY_PERMISSIONS,
};

/** The kinds of credential that can satisfy a policy. Empty for a public operation. */
export function usableCredentials(policy: RoutePolicy): readonly CredentialKind[] {
  if (policy.credentials === 'public') return [];
  return policy.credentials.filter((kind) => {
    // A key has no second factor, so an operation that needs one never accepts it.
    if (policy.mfa && /api_key/.test(kind)) return false;
    const held = FIXED_PERMISSIONS[kind];
    return held === undefined || policy.permissions.every((each) => held.includes(each));
  });
}

/** Any one of these is sufficient; an empty list means no authentication. */
export function securityOf(policy: RoutePolicy): Record<string, string[]>[] {
  const schemes = new Set(usableCredentials(policy).map((kind) => SCHEME_OF[kind]));
  return [...schemes].map((scheme) => ({ [scheme]: [] }));
}
