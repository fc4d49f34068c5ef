import type pg from 'pg';
import {
  type MembershipRow,
  membershipFrom,
  type Principal,
  type TenantRow,
  tenantFrom,
} from '../../platform/principal.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Looks up tenants and memberships. */
export class TenantDirectory {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** @returns null when there is no such tenant, or the id is malformed. */
  async tenant(id: string) {
    if (!UUID.test(id)) return null;
    const { rows } = await this.#pool.query<TenantRow>({
      name: 'find-tenant',
      text: 'SELECT * FROM identity.find_tenant($1)',
      values: [id],
    });
    return rows[0] === undefined ? null : tenantFrom(rows[0]);
  }

  /** @returns null when the user is not a member of that tenant, or it does not exist. */
  async membership(userId: string, tenantId: string) {
    const { rows } = await this.#pool.query<MembershipRow>({
      name: 'membership-of',
      text: 'SELECT * FROM identity.membership_of($1, $2)',
      values: [userId, tenantId],
    });
    return rows[0] === undefined ? null : membershipFrom(rows[0]);
  }

  /** All memberships of a user, oldest first. */
  async memberships(userId: string) {
    const { rows } = await this.#pool.query<{
      tenant_id: string;
      tenant_name: string;
      role: string;
    }>({
      name: 'memberships-of',
      text: 'SELECT * FROM identity.memberships_of($1)',
      values: [userId],
    });
    return rows.map((row) => ({
      tenantId: row.tenant_id,
      tenantName: row.tenant_name,
      role: row.role,
    }));
  }

  /**
   * Whether the credential comes from a tenant's own identity provider, which must learn nothing about other tenants:
   * a session that it opened, or an API key that was made in one.
   */
  async isConfined(principal: Principal): Promise<boolean> {
    if (principal.kind === 'jwt') return principal.confined;
    if (principal.kind !== 'api_key') return false;
    const { rows } = await this.#pool.query<{ confined: boolean }>({
      name: 'is-provider-key',
      text: 'SELECT identity.is_provider_key($1) AS confined',
      values: [principal.keyId],
    });
    return rows[0]?.confined === true;
  }
}
