import { randomBytes } from 'node:crypto';
import { type Contract, DOMAIN_RECORD_PREFIX } from '@cspm/contract';
import type { z } from 'zod';
import { actorOf, writeAudit } from '../../platform/audit-writer.ts';
import { wholeList } from '../../platform/cursor.ts';
import type {
  Statement,
  TenantConnection,
  TenantDatabase,
} from '../../platform/database/tenant-database.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import type { Principal } from '../../platform/principal.ts';
import { notFound, ProblemError, validationFailed } from '../../platform/problem.ts';
import { hasAdmin } from './admins.ts';
import { normalDomain } from './domain-name.ts';
import type { DomainProof } from './domain-proof.ts';
import { demandStanding, lockTenant } from './lock-tenant.ts';

export const MAX_DOMAINS = 50;
const TOKEN_BYTES = 32;

interface DomainServices {
  readonly identityTenants: TenantDatabase;
  readonly domainProof: DomainProof;
}

export const domains: HandlersOf<'domains', DomainServices> = {
  async list({ db }) {
    return { status: 200, body: wholeList((await db.sql<DomainRow>(LIST)).map(domainView)) };
  },

  async create({ input: { body }, db, origin, audit }) {
    const domain = normalDomain(body.domain);
    if (domain === null) {
      const message = 'must be a public domain name with a top-level domain, such as example.com';
      throw validationFailed([{ path: 'body.domain', message }]);
    }
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const values = [domain, token, origin.at, MAX_DOMAINS];
    const [row] = await db.sql<{ outcome: string }>(ADD, values);
    if (row?.outcome === 'exists') {
      throw new ProblemError('CONFLICT', `Your tenant already has the domain ${domain}.`);
    }
    if (row?.outcome !== 'added') {
      throw new ProblemError(
        'CONFLICT',
        `Your tenant has ${MAX_DOMAINS} domains, which is the limit. Remove one first.`,
      );
    }
    audit({ subject: domain });
    const added = { domain, token, created_at: origin.at, verified_at: null };
    return { status: 201, body: domainView(added) };
  },

  // The DNS query runs outside any transaction, so that a slow DNS server holds no database connection.
  async verify({ input: { params }, principal, services, origin, reauthorize }) {
    const { identityTenants: tenants, domainProof } = services;
    const tenantId = principal.tenant.id;
    const row = await tenants.read(tenantId, (db) => find(db, params.domain));
    const { record } = domainView(row);
    const found = await domainProof.hasRecord(row.domain, record.value, tenantId);
    // The DNS may have taken seconds.
    await reauthorize();
    const set = async (db: TenantConnection) => {
      const [now] = await db.sql<DomainRow>(SET, [row.domain, row.token, found ? origin.at : null]);
      if (now === undefined) throw notFound();
      return now;
    };
    const missing = `No TXT record of ${row.domain} has the value "${record.value}".`;
    const refusal = `${missing} Without the domain, all admins would leave your tenant once they verify their address, because your identity provider added them. So the domain stays as it is. Add the record again; or first ${REMEDY}, and then verify the domain again.`;
    const updated = await tenants.write(tenantId, async (db) => {
      // Before the audit row: the refusal writes its own one.
      const now = found
        ? await set(db)
        : await keepingAdmin(db, principal, origin.at, refusal, set);
      await writeAudit(db, origin, {
        action: 'domain.verified',
        outcome: found ? 'success' : 'failure',
        actor: actorOf(principal),
        targetTenantId: tenantId === principal.homeTenantId ? null : tenantId,
        subject: row.domain,
        detail: found ? {} : { withdrawn: row.verified_at !== null },
      });
      return now;
    });
    if (found) return { status: 200, body: domainView(updated) };
    throw new ProblemError(
      'DOMAIN_NOT_VERIFIED',
      `${missing} Add the record and try again; DNS changes can take an hour to become visible.`,
    );
  },

  async delete({ input: { params }, principal, db, origin, audit }) {
    const { domain } = await find(db, params.domain);
    const refusal = `Your identity provider added all admins of your tenant. Without the domain ${domain}, they leave the tenant once they verify their address. First ${REMEDY}.`;
    const [removed] = await keepingAdmin(db, principal, origin.at, refusal, () =>
      db.sql(REMOVE, [domain]),
    );
    if (removed === undefined) throw notFound();
    audit({ subject: domain });
    return { status: 204, body: undefined };
  },
};

type DomainView = z.input<Contract['domains']['create']['responses'][201]>;

interface DomainRow {
  domain: string;
  token: string;
  created_at: Date;
  verified_at: Date | null;
}

function domainView({ domain, token, created_at, verified_at }: DomainRow): DomainView {
  return {
    domain,
    status: verified_at === null ? 'pending' : 'verified',
    record: { type: 'TXT', name: domain, value: `${DOMAIN_RECORD_PREFIX}${token}` },
    createdAt: created_at.toISOString(),
    verifiedAt: verified_at?.toISOString() ?? null,
  };
}

const REMEDY =
  'invite an admin who signs in with a password, and wait until they have accepted the invitation';

/**
 * Runs a change that takes away the proof of a domain.
 * @throws {ProblemError} CONFLICT with this detail when every admin is then one who leaves when they prove their address,
 * unless the master key asks for it. The transaction is rolled back then.
 */
async function keepingAdmin<T>(
  db: TenantConnection,
  principal: Principal,
  at: Date,
  refusal: string,
  change: (db: TenantConnection) => Promise<T>,
): Promise<T> {
  await lockTenant(db);
  await demandStanding(db, principal, at);
  const hadAdmin = await hasAdmin(db);
  const result = await change(db);
  if (!hadAdmin || principal.kind === 'master_key' || (await hasAdmin(db))) return result;
  throw new ProblemError('CONFLICT', refusal);
}

/** @throws {ProblemError} NOT_FOUND, also for an invalid domain name. */
async function find(db: TenantConnection, given: string): Promise<DomainRow> {
  const name = normalDomain(given);
  const row = (await db.sql<DomainRow>(LIST)).find(({ domain }) => domain === name);
  if (row === undefined) throw notFound();
  return row;
}

const LIST: Statement = {
  name: 'domains-list',
  reason: 'function',
  text: 'SELECT * FROM identity.list_domains()',
};
const ADD: Statement = {
  name: 'domain-add',
  reason: 'function',
  text: 'SELECT identity.add_domain($1, $2, $3, $4) AS outcome',
};
const SET: Statement = {
  name: 'domain-set-verified',
  reason: 'function',
  text: 'SELECT * FROM identity.set_domain_verified($1, $2, $3)',
};
const REMOVE: Statement = {
  name: 'domain-remove',
  reason: 'function',
  text: 'SELECT * FROM identity.remove_domain($1)',
};
