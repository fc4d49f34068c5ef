import { randomBytes } from 'node:crypto';
import { FEATURES } from '@cspm/contract';
import pg from 'pg';
import type { Config } from '../config.ts';
import { type ApiKeySecret, newApiKey, parseApiKey } from '../identity/api-key.ts';
import { Passwords } from '../identity/password.ts';
import { newId } from '../ids.ts';

/** What a database begins with: a tenant, its admin, and perhaps a key. Printed once, by development alone. */
export interface Bootstrapped {
  readonly tenantId: string;
  readonly userId: string;
  readonly email: string;
  readonly password: string;
  readonly apiKey: string | null;
}

interface Wanted {
  readonly email: string;
  readonly password: string;
  readonly key: ApiKeySecret | null;
  readonly features: readonly string[];
}

/**
 * Fills an empty database: with what the BOOTSTRAP variables say and, in development, with something made up for the rest.
 * Everything in one transaction, so that a start that is cut short leaves the database empty.
 * @returns null where there are users already, or nothing is wanted.
 */
export async function bootstrap(
  ownerUrl: string,
  config: Config,
  now: Date,
): Promise<Bootstrapped | null> {
  const wanted = wantedBy(config);
  if (wanted === null) return null;
  const client = new pg.Client({ connectionString: ownerUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await fill(client, wanted, now);
  } finally {
    await client.end();
  }
}

function wantedBy(config: Config): Wanted | null {
  const { email, password, apiKey } = config.bootstrap;
  if (config.production && email === null) return null;
  const key = apiKey === null ? null : parseApiKey(apiKey);
  return {
    email: email ?? 'admin@example.com',
    password: password ?? randomBytes(15).toString('base64url'),
    key: key ?? (config.production ? null : newApiKey()),
    features: config.production ? [] : FEATURES,
  };
}

async function fill(client: pg.Client, wanted: Wanted, now: Date): Promise<Bootstrapped | null> {
  const { rows } = await client.query('SELECT 1 FROM identity.users LIMIT 1');
  if (rows.length > 0) return null;
  const passwords = new Passwords();
  const passwordHash = await passwords.hash(wanted.password).finally(() => passwords.close());
  const tenantId = newId();
  const userId = newId();
  await client.query('BEGIN');
  // Of two servers that start on one empty database, the second one waits here and then finds a user.
  await client.query('LOCK TABLE identity.users IN EXCLUSIVE MODE');
  const again = await client.query('SELECT 1 FROM identity.users LIMIT 1');
  if (again.rows.length > 0) {
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
    password: wanted.password,
    apiKey: wanted.key?.key ?? null,
  };
}
