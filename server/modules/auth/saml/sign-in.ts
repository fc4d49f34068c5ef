import { randomBytes } from 'node:crypto';
import { type Origin, writeAudit } from '../../../platform/audit-writer.ts';
import type { Clock } from '../../../platform/clock.ts';
import type {
  Statement,
  TenantConnection,
  TenantDatabase,
} from '../../../platform/database/tenant-database.ts';
import { NO_TENANT, newId } from '../../../platform/ids.ts';
import { notFound, ProblemError } from '../../../platform/problem.ts';
import type { WebAddress } from '../../../platform/web-address.ts';
import { normalDomain } from '../../tenants/index.ts';
import { callbackQuery, type ExchangeCodes } from '../sessions/exchange-code.ts';
import { SignInCookie } from '../sessions/sign-in-cookie.ts';
import { readAnsweredRequest, requestIdFrom, stateIn } from './answered-request.ts';
import type { SamlIdentity } from './assertion.ts';
import {
  type Connection,
  type ConnectionRow,
  connectionFrom,
  serviceProviderFor,
} from './connection.ts';
import { trustIn } from './trust.ts';
import type { XmlThread } from './xml-thread.ts';

interface Dependencies {
  readonly tenants: TenantDatabase;
  readonly codes: ExchangeCodes;
  readonly web: WebAddress;
  readonly xmlThread: XmlThread;
  readonly clock: Clock;
}

/** How long a person may take at the identity provider. */
const REQUEST_TTL_SECONDS = 10 * 60;
/** How long a used assertion is stored: well beyond the time in which it would be accepted. */
const REMEMBERED_SECONDS = 3600;
/** How often to look an account up again when concurrent changes interfere. */
const MAX_ATTEMPTS = 3;
const AMR = ['saml'];

/** Signs people in through their tenant's identity provider and audits each outcome. */
export class SamlSignIn {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @throws {ProblemError} NOT_FOUND for a tenant that does not exist or has no single sign-on. */
  async metadata(tenantId: string): Promise<string> {
    const licensed = await this.#deps.tenants.read(NO_TENANT, async (db) => {
      const [row] = await db.sql<{ has_sso: boolean }>(HAS_SSO, [tenantId]);
      return row?.has_sso === true;
    });
    if (!licensed) throw notFound();
    const { serviceProviderMetadata } = await import('./protocol.ts');
    return serviceProviderMetadata(serviceProviderFor(tenantId, this.#deps.web), tenantId);
  }

  /** Whether any tenant has an identity provider. */
  async isSetUp(): Promise<boolean> {
    return this.#deps.tenants.read(NO_TENANT, async (db) => {
      const [row] = await db.sql<{ has_saml: boolean }>(HAS_SAML);
      return row?.has_saml === true;
    });
  }

  /**
   * Where people with an address of a domain start to sign in. Looks at the domain alone.
   * @returns null for a domain without an identity provider that may vouch for it.
   */
  async loginUrlFor(email: string): Promise<string | null> {
    const domain = normalDomain(email.slice(email.lastIndexOf('@') + 1));
    if (domain === null) return null;
    const { tenants, web } = this.#deps;
    return tenants.read(NO_TENANT, async (db) => {
      const [row] = await db.sql<{ tenant_id: string }>(TENANT_OF_DOMAIN, [domain]);
      return row === undefined ? null : serviceProviderFor(row.tenant_id, web).loginUrl;
    });
  }

  /**
   * Starts a sign-in for the browser that asks for it.
   * @param cookieHeader the `Cookie` header of the request.
   * @param state of the page that starts it; it returns in the address of `finish`.
   * @throws {ProblemError} NOT_FOUND for a tenant that does not exist or has no identity provider.
   */
  async begin(
    tenantId: string,
    cookieHeader: string | undefined,
    state?: string,
  ): Promise<BegunSignIn> {
    const { tenants, clock, web, xmlThread } = this.#deps;
    const connection = await this.#connection(CONNECTION_OF, [tenantId]);
    if (connection === null) throw notFound();
    // Start the thread while the person is at the provider, so that the response need not wait for it.
    xmlThread.warmUp();
    const requestId = requestIdFrom(randomBytes, state);
    const { loginAddress } = await import('./protocol.ts');
    const address = await loginAddress(connection, serviceProviderFor(tenantId, web), requestId);
    const { hash, setCookie } = new SignInCookie(web.url).begin(cookieHeader);
    const now = clock.now();
    await tenants.write(tenantId, (db) =>
      db.sql(BEGIN, [connection.id, requestId, hash, now, after(now, REQUEST_TTL_SECONDS)]),
    );
    return { address, setCookie };
  }

  /**
   * Handles the identity provider's response, posted by the browser that started the sign-in.
   * @param encoded the response in base64.
   * @param cookieHeader the `Cookie` header of the request.
   * @returns the address to redirect to: always the same page of the web application, with a code.
   * @throws {ProblemError} INVALID_CREDENTIALS for every refusal; SERVICE_UNAVAILABLE when the queue of documents is
   * full.
   */
  async finish(encoded: string, cookieHeader: string | undefined, origin: Origin): Promise<string> {
    const found = await this.#verify(encoded, cookieHeader);
    if (found.identity === null) return this.#refuse(found, origin);
    const { connection, identity } = found;
    const domain = identity.email.slice(identity.email.lastIndexOf('@') + 1);
    if (!connection.emailDomains.includes(domain)) {
      return this.#refuse({ connection, reason: 'email_domain' }, origin);
    }
    const result = await this.#deps.tenants.write(connection.tenantId, (db) =>
      this.#admit(db, found, origin),
    );
    if (result === null) throw refusal();
    return this.#deps.web.page('/auth/callback', callbackQuery(result, stateIn(found.requestId)));
  }

  /** Runs cheap checks first: the pending request, then the browser, then the document. */
  async #verify(encoded: string, cookieHeader: string | undefined): Promise<Verified | Refused> {
    const { clock, web, xmlThread } = this.#deps;
    const response = readAnsweredRequest(encoded);
    if (response === null) return { connection: null, identity: null, reason: 'response' };
    const { xml, requestId } = response;
    const now = clock.now();
    const connection = await this.#connection(REQUESTED, [requestId, now]);
    if (connection === null) return { connection, identity: null, reason: 'request' };
    const browserHash = await this.#browserOf(requestId, now);
    const cookie = new SignInCookie(web.url);
    if (browserHash === null || !cookie.isFrom(browserHash, cookieHeader)) {
      return { connection, identity: null, reason: 'browser' };
    }
    const provider = serviceProviderFor(connection.tenantId, web);
    const task = { kind: 'response', xml, requestId, connection, provider } as const;
    const answer = await xmlThread.run({ ...task, nowMs: now.getTime() }, connection.tenantId);
    if (answer.kind !== 'identity') {
      const reason = 'reason' in answer ? answer.reason : 'response';
      return { connection, identity: null, reason };
    }
    return { connection, identity: answer.identity, requestId, browserHash };
  }

  async #browserOf(requestId: string, now: Date): Promise<string | null> {
    return this.#deps.tenants.read(NO_TENANT, async (db) => {
      const [row] = await db.sql<{ browser_hash: string }>(BROWSER_OF, [requestId, now]);
      return row?.browser_hash ?? null;
    });
  }

  /**
   * Spends request and assertion, finds or creates the account and issues a code, in one transaction with the audit
   * row.
   * @returns null when refused, which is audited too.
   */
  async #admit(
    db: TenantConnection,
    { connection, identity, requestId, browserHash }: Verified,
    origin: Origin,
  ): Promise<string | null> {
    const now = this.#deps.clock.now();
    const { assertionId, nameId, sessionEnds } = identity;
    const spent = [connection.id, requestId, assertionId, now, after(now, REMEMBERED_SECONDS)];
    const [taken] = await db.sql<{ taken: boolean }>(CONSUME, spent);
    if (taken?.taken !== true) return auditRefusal(db, connection, 'replay', origin);
    const entry = await this.#account(db, connection, identity);
    if (entry?.outcome !== 'entered' && entry?.outcome !== 'confirm') {
      // Do not reveal to this tenant's administrators the id of a person who is not a member.
      const known = entry?.member === true ? entry.user_id : null;
      return auditRefusal(db, connection, entry?.outcome ?? 'no_member', origin, known);
    }
    const { user_id: userId, created, linked, voided } = entry;
    const mustConfirm = entry.outcome === 'confirm';
    const confirm = mustConfirm ? nameId : null;
    const via = { connectionId: connection.id, amr: AMR, browserHash, sessionEnds };
    const who = { userId, ...via, confirm };
    const code = await this.#deps.codes.issue(db, who);
    await writeAudit(db, origin, {
      action: 'auth.saml',
      outcome: 'success',
      actor: { kind: 'person', id: userId, label: entry.email },
      subject: connection.id,
      detail: { created, linked, voided, mustConfirm },
    });
    return code;
  }

  /**
   * Finds or creates the account. Trust is evaluated before a newcomer's row exists, so a concurrent sign-in of the
   * same newcomer can create the row in between. In that case trust is evaluated again with the row locked.
   */
  async #account(
    db: TenantConnection,
    connection: Connection,
    identity: SamlIdentity,
  ): Promise<EntryRow | undefined> {
    const { nameId, email, name } = identity;
    let entry: EntryRow | undefined;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const trust = await trustIn(db, connection, identity);
      [entry] = await db.sql<EntryRow>(ADMIT, [
        ...[connection.id, nameId, email, name, newId(), this.#deps.clock.now()],
        ...[trust.role, trust.mustConfirm, trust.newcomersAllowed],
      ]);
      if (entry?.outcome !== 'changed') break;
    }
    return entry;
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

/** The redirect address and the cookie that the browser must send back later. */
interface BegunSignIn {
  readonly address: string;
  readonly setCookie: string;
}

interface Verified {
  readonly connection: Connection;
  readonly identity: SamlIdentity;
  readonly requestId: string;
  /** Hash of the cookie of the browser that started the sign-in. */
  readonly browserHash: string;
}

interface Refused {
  /** Null when the provider could not be determined. */
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
  return new ProblemError(
    'INVALID_CREDENTIALS',
    'The response of the identity provider does not allow a sign-in.',
  );
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
  /** Whether the person is a member of this tenant. */
  member: boolean;
}

const HAS_SSO: Statement = {
  name: 'saml-has-sso',
  reason: 'function',
  text: 'SELECT identity.has_sso($1)',
};
const HAS_SAML: Statement = {
  name: 'saml-set-up',
  reason: 'function',
  text: 'SELECT identity.has_saml()',
};
const TENANT_OF_DOMAIN: Statement = {
  name: 'saml-tenant-of-domain',
  reason: 'function',
  text: 'SELECT * FROM identity.saml_tenant_of_domain($1)',
};
const CONNECTION_OF: Statement = {
  name: 'saml-connection-of',
  reason: 'function',
  text: 'SELECT * FROM identity.saml_connection_of($1)',
};
const BEGIN: Statement = {
  name: 'saml-begin',
  reason: 'function',
  text: 'SELECT identity.begin_saml($1, $2, $3, $4, $5)',
};
const BROWSER_OF: Statement = {
  name: 'saml-request-browser',
  reason: 'function',
  text: 'SELECT * FROM identity.saml_request_browser($1, $2)',
};
const REQUESTED: Statement = {
  name: 'saml-request',
  reason: 'function',
  text: 'SELECT * FROM identity.saml_request($1, $2)',
};
const CONSUME: Statement = {
  name: 'saml-consume',
  reason: 'function',
  text: 'SELECT identity.consume_saml($1, $2, $3, $4, $5) AS taken',
};
const ADMIT: Statement = {
  name: 'saml-admit',
  reason: 'function',
  text: 'SELECT * FROM identity.admit_by_saml($1, $2, $3, $4, $5, $6, $7, $8, $9)',
};
