import { randomBytes } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type {
  Statement,
  TenantConnection,
  TenantDatabase,
} from '../../database/tenant-database.ts';
import { NO_TENANT, newId } from '../../ids.ts';
import { type Origin, writeAudit } from '../../pipeline/audit.ts';
import { notFound, ProblemError } from '../../pipeline/problems.ts';
import type { WebAddress } from '../../web-address.ts';
import type { ExchangeCodes } from '../exchange-code.ts';
import type { SamlIdentity } from './assertion.ts';
import {
  type Connection,
  type ConnectionRow,
  connectionFrom,
  serviceProviderFor,
} from './connection.ts';

interface Dependencies {
  readonly tenants: TenantDatabase;
  readonly codes: ExchangeCodes;
  readonly web: WebAddress;
  readonly clock: Clock;
}

/** So long a person may take at the identity provider. */
const REQUEST_TTL_SECONDS = 10 * 60;
/** So long an assertion is remembered: well past the time in which one is taken. */
const REMEMBERED_SECONDS = 3600;
const AMR = ['saml'];

/** Signs people in on the word of their tenant's identity provider; each outcome is audited. */
export class SamlSignIn {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @throws {ProblemError} NOT_FOUND for a tenant that has no single sign-on, or is none. */
  async metadata(tenantId: string): Promise<string> {
    const licensed = await this.#deps.tenants.read(NO_TENANT, async (db) => {
      const [row] = await db.sql<{ has_sso: boolean }>(HAS_SSO, [tenantId]);
      return row?.has_sso === true;
    });
    if (!licensed) throw notFound();
    const { serviceProviderMetadata } = await import('./protocol.ts');
    return serviceProviderMetadata(serviceProviderFor(tenantId, this.#deps.web), tenantId);
  }

  /**
   * Begins a sign-in.
   * @returns where to send the browser.
   * @throws {ProblemError} NOT_FOUND for a tenant without an identity provider, or none at all.
   */
  async begin(tenantId: string): Promise<string> {
    const { tenants, clock, web } = this.#deps;
    const connection = await this.#connection(CONNECTION_OF, [tenantId]);
    if (connection === null) throw notFound();
    const requestId = `_${randomBytes(20).toString('hex')}`;
    const { loginAddress } = await import('./protocol.ts');
    const address = await loginAddress(connection, serviceProviderFor(tenantId, web), requestId);
    const now = clock.now();
    await tenants.write(tenantId, (db) =>
      db.sql(BEGIN, [connection.id, requestId, now, after(now, REQUEST_TTL_SECONDS)]),
    );
    return address;
  }

  /**
   * Takes the answer of an identity provider.
   * @returns where to send the browser: always to the same page of the web application, with a code.
   * @throws {ProblemError} INVALID_CREDENTIALS: one answer, whatever was wrong.
   */
  async finish(encoded: string, origin: Origin): Promise<string> {
    const found = await this.#verify(encoded);
    if (found.identity === null) return this.#refuse(found, origin);
    const { connection, identity, requestId } = found;
    const domain = identity.email.slice(identity.email.lastIndexOf('@') + 1);
    if (!connection.emailDomains.includes(domain)) {
      return this.#refuse({ connection, reason: 'email_domain' }, origin);
    }
    const result = await this.#deps.tenants.write(connection.tenantId, (db) =>
      this.#admit(db, connection, identity, requestId, origin),
    );
    if (result === null) throw refusal();
    return this.#deps.web.page('/auth/callback', { code: result });
  }

  async #verify(encoded: string): Promise<Verified | Refused> {
    const { clock, web } = this.#deps;
    const { readResponse } = await import('./response.ts');
    const response = await readResponse(encoded).catch(() => null);
    if (response === null) return { connection: null, identity: null, reason: 'response' };
    const { requestId } = response;
    const connection = await this.#connection(REQUESTED, [requestId, clock.now()]);
    if (connection === null) return { connection, identity: null, reason: 'request' };
    const provider = serviceProviderFor(connection.tenantId, web);
    const { verifyResponse } = await import('./protocol.ts');
    const identity = await verifyResponse(response, connection, provider, clock).catch(() => null);
    if (identity === null) return { connection, identity, reason: 'assertion' };
    return { connection, identity, requestId };
  }

  /**
   * Spends request and assertion, finds or makes the account and hands out a code, in one transaction with its audit row.
   * @returns null for a refusal, which is audited too.
   */
  async #admit(
    db: TenantConnection,
    connection: Connection,
    identity: SamlIdentity,
    requestId: string,
    origin: Origin,
  ): Promise<string | null> {
    const now = this.#deps.clock.now();
    const { assertionId, nameId, email, name } = identity;
    const spent = [connection.id, requestId, assertionId, now, after(now, REMEMBERED_SECONDS)];
    const [taken] = await db.sql<{ taken: boolean }>(CONSUME, spent);
    if (taken?.taken !== true) return auditRefusal(db, connection, 'replay', origin);
    const [entry] = await db.sql<EntryRow>(ENTER, [
      connection.id,
      nameId,
      email,
      name,
      newId(),
      now,
    ]);
    if (entry?.outcome !== 'entered') {
      return auditRefusal(db, connection, entry?.outcome ?? 'no_member', origin, entry?.user_id);
    }
    const { user_id: userId, created, linked, voided } = entry;
    const who = { userId, connectionId: connection.id, amr: AMR };
    const code = await this.#deps.codes.issue(db, who);
    await writeAudit(db, origin, {
      action: 'auth.saml',
      outcome: 'success',
      actor: { kind: 'person', id: userId, label: entry.email },
      subject: connection.id,
      detail: { created, linked, voided },
    });
    return code;
  }

  async #connection(statement: Statement, values: unknown[]): Promise<Connection | null> {
    return this.#deps.tenants.read(NO_TENANT, async (db) => {
      const [row] = await db.sql<ConnectionRow>(statement, values);
      return row === undefined ? null : connectionFrom(row);
    });
  }

  async #refuse(what: Omit<Refused, 'identity'>, origin: Origin): Promise<never> {
    await this.#deps.tenants.write(what.connection?.tenantId ?? NO_TENANT, (db) =>
      auditRefusal(db, what.connection, what.reason, origin),
    );
    throw refusal();
  }
}

interface Verified {
  readonly connection: Connection;
  readonly identity: SamlIdentity;
  readonly requestId: string;
}

interface Refused {
  /** Null where it cannot be told whose answer it was. */
  readonly connection: Connection | null;
  readonly identity: null;
  readonly reason: string;
}

async function auditRefusal(
  db: TenantConnection,
  connection: Connection | null,
  reason: string,
  origin: Origin,
  userId: string | null = null,
): Promise<null> {
  await writeAudit(db, origin, {
    action: 'auth.saml',
    outcome: 'failure',
    actor: { kind: 'person', id: userId, label: null },
    subject: connection?.id ?? null,
    detail: { reason },
  });
  return null;
}

function refusal(): ProblemError {
  return new ProblemError('INVALID_CREDENTIALS', 'The answer of the provider opens no session.');
}

function after(start: Date, seconds: number): Date {
  return new Date(start.getTime() + seconds * 1000);
}

interface EntryRow {
  outcome: string;
  user_id: string;
  email: string;
  created: boolean;
  linked: boolean;
  voided: boolean;
}

const HAS_SSO: Statement = { name: 'saml-has-sso', text: 'SELECT identity.has_sso($1)' };
const CONNECTION_OF: Statement = {
  name: 'saml-connection-of',
  text: 'SELECT * FROM identity.saml_connection_of($1)',
};
const BEGIN: Statement = { name: 'saml-begin', text: 'SELECT identity.begin_saml($1, $2, $3, $4)' };
const REQUESTED: Statement = {
  name: 'saml-request',
  text: 'SELECT * FROM identity.saml_request($1, $2)',
};
const CONSUME: Statement = {
  name: 'saml-consume',
  text: 'SELECT identity.consume_saml($1, $2, $3, $4, $5) AS taken',
};
const ENTER: Statement = {
  name: 'saml-enter',
  text: 'SELECT * FROM identity.enter_by_saml($1, $2, $3, $4, $5, $6)',
};
