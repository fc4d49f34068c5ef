import type { Statement, TenantConnection } from '../../database/tenant-database.ts';
import type { WebAddress } from '../../web-address.ts';
import type { Provider } from './provider-metadata.ts';

/** The trust of one tenant in one identity provider. */
export interface Connection extends Provider {
  /** Another one whenever the settings are put: accounts are linked to it. */
  readonly id: string;
  readonly tenantId: string;
  /** Lower case. */
  readonly emailDomains: readonly string[];
  readonly defaultRole: string;
  readonly createdAt: Date;
}

/** What this service is to the identity provider of a tenant. Each tenant's has a name of its own, so that an assertion
 * for one is none for another. */
export interface ServiceProvider {
  readonly entityId: string;
  /** Where answers are taken: one address for all. */
  readonly acsUrl: string;
  readonly metadataUrl: string;
  readonly loginUrl: string;
}

export function serviceProviderFor(tenantId: string, web: WebAddress): ServiceProvider {
  const metadataUrl = web.page('/auth/saml/metadata', { tenant: tenantId });
  return {
    entityId: metadataUrl,
    acsUrl: web.page('/auth/saml/acs'),
    metadataUrl,
    loginUrl: web.page('/auth/saml/login', { tenant: tenantId }),
  };
}

/** As the identity functions answer. */
export interface ConnectionRow {
  tenant_id: string;
  id: string;
  entity_id: string;
  sso_url: string;
  certificates: string[];
  email_domains: string[];
  default_role: string;
  created_at: Date;
}

export function connectionFrom(row: ConnectionRow): Connection {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    entityId: row.entity_id,
    ssoUrl: row.sso_url,
    certificates: row.certificates,
    emailDomains: row.email_domains,
    defaultRole: row.default_role,
    createdAt: row.created_at,
  };
}

/** The connection of the tenant of `db`, or null. */
export async function findConnection(db: TenantConnection): Promise<Connection | null> {
  const [row] = await db.sql<ConnectionRow>(SETTINGS);
  return row === undefined ? null : connectionFrom(row);
}

/** Puts the connection of its tenant, in the place of the one that was there. */
export async function putConnection(db: TenantConnection, connection: Connection): Promise<void> {
  await db.sql(PUT, [
    connection.id,
    connection.entityId,
    connection.ssoUrl,
    connection.certificates,
    connection.emailDomains,
    connection.defaultRole,
    connection.createdAt,
  ]);
}

/** @returns the id of what was deleted; null: there was none. */
export async function deleteConnection(db: TenantConnection): Promise<string | null> {
  const [row] = await db.sql<{ id: string }>(DELETE);
  return row?.id ?? null;
}

const SETTINGS: Statement = {
  name: 'saml-settings',
  text: 'SELECT * FROM identity.saml_settings()',
};
const PUT: Statement = {
  name: 'saml-settings-put',
  text: 'SELECT identity.put_saml_settings($1, $2, $3, $4, $5, $6, $7)',
};
const DELETE: Statement = {
  name: 'saml-settings-delete',
  text: 'SELECT * FROM identity.delete_saml_settings()',
};
