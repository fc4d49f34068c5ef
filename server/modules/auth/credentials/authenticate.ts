import type { IncomingHttpHeaders } from 'node:http';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import { isDatabaseUnavailable } from '../../../platform/database/unavailable.ts';
import {
  type MembershipRow,
  membershipFrom,
  type Principal,
  type UserRow,
  userFrom,
} from '../../../platform/principal.ts';
import { ProblemError } from '../../../platform/problem.ts';
import type { AccessTokens } from '../sessions/access-token.ts';
import { API_KEY_PREFIX } from './api-key.ts';
import type { BreakGlass } from './break-glass.ts';
import type { GlobalKey } from './global-key.ts';
import type { KeyUse } from './key-last-used.ts';
import type { KeyLookup } from './key-lookup.ts';

export interface Authenticator {
  readonly pool: pg.Pool;
  readonly accessTokens: AccessTokens;
  readonly keyLookup: KeyLookup;
  readonly keyUse: KeyUse;
  readonly globalKey: GlobalKey;
  readonly breakGlass: BreakGlass;
  readonly clock: Clock;
}

/**
 * Identifies the caller of a request. Only the first credential present is checked: master key, Bearer token, API key,
 * in this order. If it is invalid, the request fails; the other credentials are ignored.
 * @param begun when the request began, if earlier: an access token must have been valid then, everything else now.
 * @throws {ProblemError} UNAUTHORIZED; AUTH_UNAVAILABLE when the database does not answer; or an error of
 * `BreakGlass.identify`.
 */
export async function authenticate(
  headers: IncomingHttpHeaders,
  authenticator: Authenticator,
  begun?: Date,
): Promise<Principal> {
  try {
    const principal = await identify(headers, authenticator, begun);
    if (principal === null) throw unauthorized();
    return principal;
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    throw new ProblemError(
      'AUTH_UNAVAILABLE',
      'Your credential cannot be verified at the moment.',
      {
        cause: error,
      },
    );
  }
}

function unauthorized(): ProblemError {
  return new ProblemError(
    'UNAUTHORIZED',
    // The same in all cases, so that nobody learns which credentials exist.
    'No valid credential was sent: it is missing, unknown, expired or revoked. Send an API key in X-API-Key, or an access token in Authorization: Bearer.',
  );
}

async function identify(
  headers: IncomingHttpHeaders,
  authenticator: Authenticator,
  begun?: Date,
): Promise<Principal | null> {
  // A master key takes precedence even while break-glass is off.
  if (headers['x-master-key'] !== undefined) return authenticator.breakGlass.identify(headers);
  if (headers.authorization !== undefined) {
    return bySession(headers.authorization, authenticator, begun);
  }
  const key = headers['x-api-key'];
  if (typeof key !== 'string') return null;
  return key.startsWith(API_KEY_PREFIX)
    ? byApiKey(key, authenticator)
    : authenticator.globalKey.identify(key);
}

interface SessionRow extends UserRow, MembershipRow {
  session_id: string;
  started_at: Date;
  amr: string[];
}

const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]{1,4096})$/i;
const API_KEY_AS_BEARER = new RegExp(`^Bearer +${API_KEY_PREFIX}`, 'i');

async function bySession(
  authorization: string,
  deps: Authenticator,
  begun?: Date,
): Promise<Principal | null> {
  if (API_KEY_AS_BEARER.test(authorization)) {
    throw new ProblemError(
      'UNAUTHORIZED',
      'The Authorization header contains an API key. Send API keys in the X-API-Key header.',
    );
  }
  const token = BEARER.exec(authorization)?.[1];
  const claims = token === undefined ? null : await deps.accessTokens.verify(token, begun);
  if (claims === null) return null;
  const { rows } = await deps.pool.query<SessionRow>({
    name: 'authenticate-session',
    text: 'SELECT * FROM identity.authenticate_session($1, $2, $3, $4)',
    values: [claims.sessionId, claims.userId, claims.tenantId, deps.clock.now()],
  });
  const [row] = rows;
  if (row === undefined) return null;
  return {
    kind: 'jwt',
    user: userFrom(row),
    ...membershipFrom(row),
    homeTenantId: row.tenant_id,
    sessionId: claims.sessionId,
    sessionStartedAt: row.started_at,
    confined: claims.amr.includes('saml') || row.amr.includes('saml'),
    provider: providerOf([...claims.amr, ...row.amr]),
    // Require both: an older token must not gain the second factor, and removing the factor must revoke it from tokens.
    mfa: claims.amr.includes('otp') && row.amr.includes('otp'),
    expiresAt: claims.expiresAt,
  };
}

function providerOf(amr: readonly string[]): 'saml' | 'google' | null {
  if (amr.includes('saml')) return 'saml';
  return amr.includes('fed') ? 'google' : null;
}

async function byApiKey(key: string, deps: Authenticator): Promise<Principal | null> {
  const row = await deps.keyLookup.find(key);
  if (row === null) return null;
  deps.keyUse.note(row.key_id, deps.clock.now());
  return {
    kind: 'api_key',
    user: userFrom(row),
    ...membershipFrom(row),
    homeTenantId: row.tenant_id,
    keyId: row.key_id,
    mfa: false,
    expiresAt: row.expires_at,
  };
}
