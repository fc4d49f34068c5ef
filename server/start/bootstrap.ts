import { randomBytes } from 'node:crypto';
import { FEATURES } from '@cspm/contract';
import pg from 'pg';
import type { Config } from '../config.ts';
import type { FirstCredentials } from '../development/first-credentials.ts';
import { type ApiKeySecret, newApiKey, parseApiKey } from '../modules/auth/credentials/api-key.ts';
import { Passwords } from '../modules/auth/password/password.ts';
import { primaryUrl } from '../platform/database/primary.ts';
import { newId } from '../platform/ids.ts';

interface Wanted {
  readonly passwordGiven: boolean;
  readonly keyGiven: boolean;
  readonly email: string;
  readonly password: string;
  readonly key: ApiKeySecret | null;
  readonly features: readonly string[];
  /** The first admin would have neither a known password nor a key. */
  readonly isUnreachable: boolean;
}

const NOBODY_CAN_SIGN_IN =
  'BOOTSTRAP_EMAIL: is not set, and there are no users, so nobody can sign in; set it with BOOTSTRAP_PASSWORD and restart, or run the operator commands tenant create and user create';

/**
 * Fills an empty database from the BOOTSTRAP variables and, in development, with generated values for the rest. It uses
 * one transaction, so an interrupted start leaves the database empty.
 * @param warn is told if nobody can sign in.
 * @returns null if there are users already, or nothing is configured.
 * @throws {Error} in production, when only the address of the first admin is configured.
 */
export async function bootstrap(
  ownerUrl: string,
  config: Config,
  now: Date,
  warn: (line: string) => void,
): Promise<FirstCredentials | null> {
  const wanted = wantedBy(config);
  if (wanted === null && config.registration === 'open') return null;
  const client = new pg.Client({ connectionString: await primaryUrl(ownerUrl) });
  client.on('error', () => undefined);
  await client.connect();
  try {
    if (wanted !== null) return await fill(client, wanted, now);
    if (!(await hasUsers(client))) warn(NOBODY_CAN_SIGN_IN);
    return null;
  } finally {
    await client.end();
  }
}

function wantedBy(config: Config): Wanted | null {
  const { email, password, apiKey } = config.bootstrap;
  if (config.production && email === null) return null;
  const key = apiKey === null ? null : parseApiKey(apiKey);
  return {
    passwordGiven: password !== null,
    keyGiven: apiKey !== null,
    email: email ?? 'admin@example.com',
    password: password ?? randomBytes(15).toString('base64url'),
    key: key ?? (config.production ? null : newApiKey()),
    features: config.production ? [] : FEATURES,
    isUnreachable: config.production && password === null && apiKey === null,
  };
}

async function hasUsers(client: pg.Client): Promise<boolean> {
  return (await client.query('SELECT 1 FROM identity.users LIMIT 1')).rows.length > 0;
}

async function fill(
  client: pg.Client,
  wanted: Wanted,
  now: Date,
): Promise<FirstCredentials | null> {
  if (await hasUsers(client)) return null;
  if (wanted.isUnreachable) {
    throw new Error(
      'BOOTSTRAP_EMAIL: the first start in production also requires BOOTSTRAP_PASSWORD or BOOTSTRAP_API_KEY, because nobody would know the generated password of the first admin.',
    );
  }
  const passwords = new Passwords();
  const passwordHash = await passwords.hash(wanted.password).finally(() => passwords.close());
  const tenantId = newId();
  const userId = newId();
  await client.query('BEGIN');
  // If two servers start on one empty database, the second one waits here and then finds a user.
  await client.query('LOCK TABLE identity.users IN EXCLUSIVE MODE');
  if (await hasUsers(client)) {
    await client.query('ROLLBACK');
    return null;
  }
  await client.query(
    'INSERT INTO identity.tenants (id, name, features, created_at) VALUES ($1, $2, $3, $4)',
    [tenantId, 'First tenant', wanted.features, now],
  );
  await client.query(
    `INSERT INTO identity.users (id, email, password_hash, email_verified_at, created_at)
     VALUES ($1, $2, $3, $4, $4)`,
    [userId, wanted.email, passwordHash, now],
  );
  await client.query(
    `INSERT INTO identity.memberships (tenant_id, user_id, role, created_at) VALUES ($1, $2, 'admin', $3)`,
    [tenantId, userId, now],
  );
  if (wanted.key !== null) {
    await client.query(
      `INSERT INTO identity.api_keys (id, public_id, tenant_id, user_id, name, secret_hash, created_at)
       VALUES ($1, $2, $3, $4, 'bootstrap', $5, $6)`,
      [newId(), wanted.key.publicId, tenantId, userId, wanted.key.secretHash, now],
    );
  }
  await client.query('COMMIT');
  return {
    tenantId,
    userId,
    email: wanted.email,
    madeUpPassword: wanted.passwordGiven ? null : wanted.password,
    madeUpKey: wanted.keyGiven ? null : (wanted.key?.key ?? null),
  };
}
