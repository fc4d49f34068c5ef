import type { BUILT_IN_ROLES, Feature, Permission } from '@cspm/contract';
import bcrypt from 'bcryptjs';
import { newApiKey } from '../../server/modules/auth/credentials/api-key.ts';
import { newRefreshToken } from '../../server/modules/auth/sessions/refresh-token.ts';
import { newId } from '../../server/platform/ids.ts';
import type { Services } from '../../server/services.ts';
import type { TestDatabase } from './database.ts';

export interface TestTenant {
  readonly id: string;
  readonly name: string;
}

/** A user with headers for each kind of credential. */
export interface TestUser {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly tenant: TestTenant;
  /** Headers that carry a per-user key. */
  readonly key: { readonly 'x-api-key': string };
  readonly keyId: string;
  /** Headers that carry the access token of a session. */
  readonly session: { readonly authorization: string };
  readonly sessionId: string;
  readonly refreshToken: string;
}

export interface UserOptions {
  readonly tenant?: TestTenant;
  /** A built-in role, or a set of permissions for which a custom role is created. */
  readonly role?: keyof typeof BUILT_IN_ROLES | readonly Permission[];
  readonly amr?: readonly string[];
  readonly verified?: boolean;
  readonly disabled?: boolean;
}

export const TEST_PASSWORD = 'correct horse battery staple';
/** The lowest bcrypt cost, because these tests do not check its strength. */
export const LOWEST_PASSWORD_COST = 4;
const passwordHash = bcrypt.hashSync(TEST_PASSWORD, LOWEST_PASSWORD_COST);

/** Inserts users directly into the database, as its owner. */
export class People {
  readonly #database: TestDatabase;
  readonly #services: Services;

  constructor(database: TestDatabase, services: Services) {
    this.#database = database;
    this.#services = services;
  }

  async tenant(features: readonly Feature[] = [], id = newId()): Promise<TestTenant> {
    const name = `Tenant ${id.slice(-6)}`;
    await this.#database.owner.query(
      'INSERT INTO identity.tenants (id, name, features, created_at) VALUES ($1, $2, $3, $4)',
      [id, name, features, this.#services.clock.now()],
    );
    return { id, name };
  }

  /** A user with a key and a session, in a new tenant unless one is given, and an admin by default. */
  async user(options: UserOptions = {}): Promise<TestUser> {
    const { owner } = this.#database;
    const tenant = options.tenant ?? (await this.tenant());
    const id = newId();
    const email = `${id}@example.com`;
    const now = this.#services.clock.now();
    await owner.query(
      `INSERT INTO identity.users (id, email, name, password_hash, email_verified_at, disabled_at, created_at)
       VALUES ($1, $2, 'Test Person', $3, $4, $5, $6)`,
      [
        id,
        email,
        passwordHash,
        options.verified === false ? null : now,
        options.disabled === true ? now : null,
        now,
      ],
    );
    await this.join({ id }, tenant, options.role ?? 'admin');
    const key = await this.key({ id, tenant });
    const session = await this.session({ id, tenant }, options.amr);
    return {
      id,
      email,
      password: TEST_PASSWORD,
      tenant,
      key: key.headers,
      keyId: key.id,
      session: session.headers,
      sessionId: session.id,
      refreshToken: session.refreshToken,
    };
  }

  /** Makes a user a member of a tenant, or changes their membership. */
  async join(
    user: { id: string },
    tenant: TestTenant,
    role: UserOptions['role'] = 'admin',
  ): Promise<void> {
    const { owner } = this.#database;
    const name = typeof role === 'string' ? role : await this.role(tenant, role);
    await owner.query(
      `INSERT INTO identity.memberships (tenant_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (tenant_id, user_id) DO UPDATE SET role = EXCLUDED.role`,
      [tenant.id, user.id, name, this.#services.clock.now()],
    );
  }

  /** A custom role of the tenant, by name. */
  async role(tenant: TestTenant, permissions: readonly Permission[] = ['scans.read']) {
    const name = `role-${newId()}`;
    await this.#database.owner.query(
      'INSERT INTO identity.roles (tenant_id, name, permissions) VALUES ($1, $2, $3)',
      [tenant.id, name, permissions],
    );
    return name;
  }

  async key(of: { id: string; tenant: TestTenant }, expiresAt: Date | null = null) {
    const id = newId();
    const { key, publicId, secretHash } = newApiKey();
    await this.#database.owner.query(
      `INSERT INTO identity.api_keys (id, public_id, tenant_id, user_id, name, secret_hash, created_at, expires_at)
       VALUES ($1, $2, $3, $4, 'test', $5, $6, $7)`,
      [id, publicId, of.tenant.id, of.id, secretHash, this.#services.clock.now(), expiresAt],
    );
    return { id, key, headers: { 'x-api-key': key } };
  }

  async session(of: { id: string; tenant: TestTenant }, amr: readonly string[] = ['pwd']) {
    const id = newId();
    const refresh = newRefreshToken();
    const now = this.#services.clock.now();
    const later = new Date(now.getTime() + 30 * 24 * 3600 * 1000);
    await this.#database.owner.query(
      `INSERT INTO identity.sessions (id, tenant_id, user_id, amr, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [id, of.tenant.id, of.id, amr, now, later],
    );
    await this.#database.owner.query(
      'INSERT INTO identity.refresh_tokens (hash, session_id, issued_at, expires_at) VALUES ($1, $2, $3, $4)',
      [refresh.hash, id, now, later],
    );
    const token = await this.#services.authenticator.accessTokens.sign({
      userId: of.id,
      tenantId: of.tenant.id,
      sessionId: id,
      amr,
    });
    return { id, headers: { authorization: `Bearer ${token}` }, refreshToken: refresh.token };
  }
}
