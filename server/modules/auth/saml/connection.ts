import type { Statement, TenantConnection } from '../../../platform/database/tenant-database.ts';
import type { WebAddress } from '../../../platform/web-address.ts';
import type { Provider } from './provider-metadata.ts';

/** The identity provider that a tenant has configured. */
export interface Connection extends Provider {
  /** Changes whenever the settings are saved. Accounts are linked to this id. */
  readonly id: string;
  readonly tenantId: string;
  /** In lower case. */
  readonly emailDomains: readonly string[];
  readonly defaultRole: string;
  readonly createdAt: Date;
  /** Permissions of the person who configured the connection; `*` stands for all. */
  readonly vouches: readonly string[];
}

/**
 * This service as seen by the identity provider of one tenant. Each tenant has its own entity id, so an assertion for
 * one tenant is not valid for another.
 */
export interface ServiceProvider {
  readonly entityId: string;
  /** Address that receives responses, the same for all tenants. */
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

/** Row returned by the SQL functions of schema `identity`. */
export interface ConnectionRow {
  tenant_id: string;
  id: string;
  entity_id: string;
  sso_url: string;
  certificates: string[];
  email_domains: string[];
  default_role: string;
  created_at: Date;
  vouches: string[];
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
    vouches: row.vouches,
  };
}

/** The connection of the tenant of `db`, or null when it has none. */
export async function findConnection(db: TenantConnection): Promise<Connection | null> {
  const [row] = await db.sql<ConnectionRow>(SETTINGS);
  return row === undefined ? null : connectionFrom(row);
}

/** Creates or replaces the connection of its tenant. */
export async function putConnection(db: TenantConnection, connection: Connection): Promise<void> {
  await db.sql(PUT, [
    connection.id,
    connection.entityId,
    connection.ssoUrl,
    connection.certificates,
    connection.emailDomains,
    connection.defaultRole,
    connection.createdAt,
    connection.vouches,
  ]);
}

/** @returns the id of the deleted connection; null when there was none. */
export async function deleteConnection(db: TenantConnection): Promise<string | null> {
  const [row] = await db.sql<{ id: string }>(DELETE);
  return row?.id ?? null;
}

const SETTINGS: Statement = {
  name: 'saml-settings',
  reason: 'function',
  text: 'SELECT * FROM identity.saml_settings()',
};
const PUT: Statement = {
  name: 'saml-settings-put',
  reason: 'function',
  text: 'SELECT identity.put_saml_connection($1, $2, $3, $4, $5, $6, $7, $8)',
};
const DELETE: Statement = {
  name: 'saml-settings-delete',
  reason: 'function',
  text: 'SELECT * FROM identity.delete_saml_settings()',
};
