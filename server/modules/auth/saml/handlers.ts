import type { Contract } from '@cspm/contract';
import type { z } from 'zod';
import type { Origin } from '../../../platform/audit-writer.ts';
import type { TenantConnection } from '../../../platform/database/tenant-database.ts';
import type { HandlersOf } from '../../../platform/handler.ts';
import { newId } from '../../../platform/ids.ts';
import type { Notice } from '../../../platform/mail/mail.ts';
import type { MailQueue } from '../../../platform/mail/mail-queue.ts';
import type { Principal } from '../../../platform/principal.ts';
import { notFound, validationFailed } from '../../../platform/problem.ts';
import type { WebAddress } from '../../../platform/web-address.ts';
import { demandMayGive } from '../../roles/index.ts';
import { findRole } from '../../roles/queries.ts';
import { demandStanding, lockTenant, normalDomain, tellAdmins } from '../../tenants/index.ts';
import {
  type Connection,
  deleteConnection,
  findConnection,
  putConnection,
  serviceProviderFor,
} from './connection.ts';
import { singleSignOnChanged } from './mails.ts';
import { providerFrom } from './parse-provider.ts';
import type { SamlSignIn } from './sign-in.ts';
import { administers, demandMayVouch, vouchesOf } from './trust.ts';
import type { XmlThread } from './xml-thread.ts';

interface SamlServices {
  readonly saml: SamlSignIn;
  readonly xmlThread: XmlThread;
  readonly web: WebAddress;
  readonly mail: MailQueue;
}

export const saml: HandlersOf<'saml', SamlServices> = {
  async getSettings({ db, services }) {
    const connection = await findConnection(db);
    if (connection === null) throw notFound();
    return { status: 200, body: settingsView(connection, services.web) };
  },

  async putSettings({ input: { body }, principal, db, services, origin, audit }) {
    const { xmlThread } = services;
    const reading = { now: origin.at, tenantId: db.tenantId, xmlThread };
    const provider = await providerFrom(body, reading);
    const emailDomains = normalDomains(body.emailDomains);
    await lockTenant(db);
    await demandStanding(db, principal, origin.at);
    await demandNewcomersRole(db, body.defaultRole, principal);
    await demandMayVouch(db, principal, emailDomains);
    const connection = {
      ...provider,
      id: newId(),
      tenantId: db.tenantId,
      emailDomains,
      defaultRole: body.defaultRole,
      createdAt: origin.at,
      vouches: vouchesOf(principal),
    };
    await putConnection(db, connection);
    await tellAdmins(db, services.mail, single(principal, 'configured', origin));
    const { entityId, ssoUrl, defaultRole } = connection;
    audit({ subject: connection.id, detail: { entityId, ssoUrl, emailDomains, defaultRole } });
    return { status: 200, body: settingsView(connection, services.web) };
  },

  async deleteSettings({ principal, db, services, origin, audit }) {
    await lockTenant(db);
    await demandStanding(db, principal, origin.at);
    const id = await deleteConnection(db);
    if (id === null) throw notFound();
    await tellAdmins(db, services.mail, single(principal, 'removed', origin));
    audit({ subject: id });
    return { status: 204, body: undefined };
  },

  async metadata({ input: { query }, services }) {
    return { status: 200, body: await services.saml.metadata(query.tenant) };
  },

  async login({ input: { query }, services, cookies }) {
    const { address, setCookie } = await services.saml.begin(query.tenant, cookies, query.state);
    return {
      status: 302,
      body: undefined,
      headers: { Location: address, 'Set-Cookie': setCookie },
    };
  },

  async discover({ input: { body }, services }) {
    return { status: 200, body: { loginUrl: await services.saml.loginUrlFor(body.email) } };
  },

  async acs({ input: { body }, services, origin, cookies }) {
    const Location = await services.saml.finish(body.SAMLResponse, cookies, origin);
    return { status: 303, body: undefined, headers: { Location } };
  },
};

type SettingsView = z.input<Contract['saml']['getSettings']['responses'][200]>;

function settingsView(connection: Connection, web: WebAddress): SettingsView {
  const { tenantId, certificates, emailDomains, createdAt, vouches: _, ...rest } = connection;
  return {
    ...rest,
    certificates: [...certificates],
    emailDomains: [...emailDomains],
    createdAt: createdAt.toISOString(),
    serviceProvider: serviceProviderFor(tenantId, web),
  };
}

/**
 * Newcomers are admitted by the identity provider alone, so their role must not administer the tenant.
 * @throws {ProblemError} VALIDATION_FAILED for a role that is unknown or administers the tenant, FORBIDDEN for a role
 * with more permissions than the caller.
 */
async function demandNewcomersRole(db: TenantConnection, name: string, principal: Principal) {
  const role = await findRole(db, name);
  if (role === null) throw unfitRole('is not a role of your tenant');
  if (role.permissions.some(administers)) throw unfitRole('must not include an admin.* permission');
  demandMayGive(principal, role);
}

/** @throws {ProblemError} VALIDATION_FAILED for a name that is not a valid mail domain. */
function normalDomains(given: readonly string[]): string[] {
  const names = given.map((domain, at) => {
    const name = normalDomain(domain);
    if (name !== null) return name;
    const message = 'must be a public domain name with a top-level domain, such as example.com';
    throw validationFailed([{ path: `body.emailDomains.${at}`, message }]);
  });
  return [...new Set(names)];
}

/** Mails all administrators that the identity provider was changed. */
function single(
  { tenant, user }: Principal,
  change: 'configured' | 'removed',
  origin: Origin,
): Notice {
  const by = user?.email ?? 'the master key';
  return singleSignOnChanged({ tenantName: tenant.name, change, by }, origin);
}

function unfitRole(message: string) {
  return validationFailed([{ path: 'body.defaultRole', message }]);
}
