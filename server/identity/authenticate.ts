import type { IncomingHttpHeaders } from 'node:http';
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import { isDatabaseUnavailable } from '../database/unavailable.ts';
import { ProblemError } from '../pipeline/problems.ts';
import type { AccessTokens } from './access-token.ts';
import { API_KEY_PREFIX, parseApiKey } from './api-key.ts';
import type { BreakGlass } from './break-glass.ts';
import type { GlobalKey } from './global-key.ts';
import type { KeyUse } from './key-use.ts';
import {
  type MembershipRow,
  membershipFrom,
  type Principal,
  type UserRow,
  userFrom,
} from './principal.ts';

export interface Authenticator {
  readonly pool: pg.Pool;
  readonly accessTokens: AccessTokens;
  readonly keyUse: KeyUse;
  readonly globalKey: GlobalKey;
  readonly breakGlass: BreakGlass;
  readonly clock: Clock;
}

/**
 * Who a request comes from. The first credential presented decides: master key, Bearer token, API key, in this order.
 * One that is not valid ends the request; another one sent along is never looked at.
 * @throws {ProblemError} UNAUTHORIZED, AUTH_UNAVAILABLE when the database cannot be asked, or what break-glass wants more.
 */
export async function authenticate(
  headers: IncomingHttpHeaders,
  authenticator: Authenticator,
): Promise<Principal> {
  try {
    const principal = await identify(headers, authenticator);
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
  return new ProblemError('UNAUTHORIZED', 'No valid credential was sent.');
}

async function identify(
  headers: IncomingHttpHeaders,
  authenticator: Authenticator,
): Promise<Principal | null> {
  // While break-glass is off too: a master key that is presented is the one that decides.
  if (headers['x-master-key'] !== undefined) return authenticator.breakGlass.identify(headers);
  if (headers.authorization !== undefined) return bySession(headers.authorization, authenticator);
  const key = headers['x-api-key'];
  if (typeof key !== 'string') return null;
  return key.startsWith(API_KEY_PREFIX)
    ? byApiKey(key, authenticator)
    : authenticator.globalKey.identify(key);
}

interface SessionRow extends UserRow, MembershipRow {
  started_at: Date;
  amr: string[];
}

const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]{1,4096})$/i;

async function bySession(authorization: string, deps: Authenticator): Promise<Principal | null> {
  const token = BEARER.exec(authorization)?.[1];
  const claims = token === undefined ? null : await deps.accessTokens.verify(token);
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
    // Both: a token made before the factor was passed does not open more, nor one from before the factor was removed.
    mfa: claims.amr.includes('otp') && row.amr.includes('otp'),
    expiresAt: claims.expiresAt,
  };
}

interface KeyRow extends UserRow, MembershipRow {
  key_id: string;
  expires_at: Date | null;
}

async function byApiKey(key: string, deps: Authenticator): Promise<Principal | null> {
  const secret = parseApiKey(key);
  if (secret === null) return null;
  const now = deps.clock.now();
  const { rows } = await deps.pool.query<KeyRow>({
    name: 'authenticate-key',
    text: 'SELECT * FROM identity.authenticate_key($1, $2, $3)',
    values: [secret.publicId, secret.secretHash, now],
  });
  const [row] = rows;
  if (row === undefined) return null;
  deps.keyUse.note(row.key_id, now);
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
