import type { Contract, Permission } from '@cspm/contract';
import type { z } from 'zod';
import type { TenantConnection } from '../database/tenant-database.ts';
import { demandMayGive } from '../identity/grant.ts';
import type { Principal } from '../identity/principal.ts';
import { findRole } from '../identity/roles.ts';
import {
  type Connection,
  deleteConnection,
  findConnection,
  putConnection,
  serviceProviderFor,
} from '../identity/saml/connection.ts';
import { providerFrom } from '../identity/saml/given-provider.ts';
import { newId } from '../ids.ts';
import type { HandlersOf } from '../pipeline/handler.ts';
import { notFound, validationFailed } from '../pipeline/problems.ts';
import type { WebAddress } from '../web-address.ts';

export const saml: HandlersOf<'saml'> = {
  async getSettings({ db, services }) {
    const connection = await findConnection(db);
    if (connection === null) throw notFound();
    return { status: 200, body: settingsView(connection, services.web) };
  },

  async putSettings({ input: { body }, principal, db, services, origin, audit }) {
    const provider = await providerFrom(body, origin.at);
    await demandNewcomersRole(db, body.defaultRole, principal);
    const connection = {
      ...provider,
      id: newId(),
      tenantId: db.tenantId,
      emailDomains: [...new Set(body.emailDomains.map((domain) => domain.toLowerCase()))],
      defaultRole: body.defaultRole,
      createdAt: origin.at,
    };
    await putConnection(db, connection);
    const { entityId, ssoUrl, emailDomains, defaultRole } = connection;
    audit({ subject: connection.id, detail: { entityId, ssoUrl, emailDomains, defaultRole } });
    return { status: 200, body: settingsView(connection, services.web) };
  },

  async deleteSettings({ db, audit }) {
    const id = await deleteConnection(db);
    if (id === null) throw notFound();
    audit({ subject: id });
    return { status: 204, body: undefined };
  },

  async metadata({ input: { query }, services }) {
    return { status: 200, body: await services.saml.metadata(query.tenant) };
  },

  async login({ input: { query }, services }) {
    const Location = await services.saml.begin(query.tenant);
    return { status: 302, body: undefined, headers: { Location } };
  },

  async acs({ input: { body }, services, origin }) {
    const Location = await services.saml.finish(body.SAMLResponse, origin);
    return { status: 303, body: undefined, headers: { Location } };
  },
};

type SettingsView = z.input<Contract['saml']['getSettings']['responses'][200]>;

function settingsView(connection: Connection, web: WebAddress): SettingsView {
  const { tenantId, certificates, emailDomains, createdAt, ...rest } = connection;
  return {
    ...rest,
    certificates: [...certificates],
    emailDomains: [...emailDomains],
    createdAt: createdAt.toISOString(),
    serviceProvider: serviceProviderFor(tenantId, web),
  };
}

/**
 * Newcomers come by somebody else's word, so what they become administers nothing.
 * @throws {ProblemError} VALIDATION_FAILED for a role that is unknown or administers, FORBIDDEN for one that holds more
 * than whoever sets it.
 */
async function demandNewcomersRole(db: TenantConnection, name: string, principal: Principal) {
  const role = await findRole(db, name);
  if (role === null) throw unfitRole('is no role of your tenant');
  if (role.permissions.some(administers)) throw unfitRole('must hold no admin.* permission');
  demandMayGive(principal, role);
}

function administers(permission: Permission): boolean {
  return permission.startsWith('admin.');
}

function unfitRole(message: string) {
  return validationFailed([{ path: 'body.defaultRole', message }]);
}
