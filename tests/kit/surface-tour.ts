import { FEATURES, PERMISSIONS, type Permission } from '@cspm/contract';
import { type Owner, ownerOf } from './case-inputs.ts';
import type { ContractCase } from './contract-operations.ts';
import type { TestUser } from './people.ts';
import { replyFaults } from './reply-faults.ts';
import { GLOBAL_KEY_TENANT_ID } from './shared-credentials.ts';
import type { Call, Reply, TestServer } from './test-server.ts';

/**
 * Calls every operation of a server as an admin of one tenant, with another tenant beside it. Every response is checked
 * against the contract; deviations are collected in `faults`.
 */
export class Tour {
  readonly server: TestServer;
  readonly owner: Owner;
  readonly stranger: Owner;
  readonly faults: string[] = [];
  readonly seen = new Map<string, Set<number>>();
  readonly #lacking = new Map<Permission, Promise<TestUser>>();

  private constructor(server: TestServer, owner: Owner, stranger: Owner) {
    this.server = server;
    this.owner = owner;
    this.stranger = stranger;
  }

  static async start(server: TestServer): Promise<Tour> {
    // With a second factor and a tenant with all features, the admin can use every operation.
    const amr = ['pwd', 'otp'];
    const [owner, stranger] = [
      await server.people.user({
        amr,
        tenant: await server.people.tenant(FEATURES, GLOBAL_KEY_TENANT_ID),
      }),
      await server.people.user({ amr, tenant: await server.people.tenant(FEATURES) }),
    ];
    return new Tour(server, ownerOf(server, owner), ownerOf(server, stranger));
  }

  /** Sends a request, and checks the response for that operation; null: no operation. */
  async ask(subject: ContractCase | null, path: string, call: Call = {}): Promise<Reply> {
    const reply = await this.server.call(path, call);
    const name = subject?.name ?? 'none';
    this.seen.set(name, (this.seen.get(name) ?? new Set()).add(reply.status));
    for (const fault of replyFaults(reply, subject?.route ?? null, call.method)) {
      this.faults.push(`${name}: ${call.method ?? 'GET'} ${path}: ${fault}`);
    }
    return reply;
  }

  /** A user of the owner's tenant with every permission except one. */
  lacking(permission: Permission): Promise<TestUser> {
    const known = this.#lacking.get(permission);
    if (known !== undefined) return known;
    const user = this.server.people.user({
      tenant: this.owner.user.tenant,
      role: PERMISSIONS.filter((other) => other !== permission),
    });
    this.#lacking.set(permission, user);
    return user;
  }

  /** A summary of all data of the other tenant, which changes when any of it does. */
  async strangersThings(): Promise<string> {
    const { server, stranger } = this;
    const tenantId = stranger.user.tenant.id;
    const { owner } = server.database;
    const kept = await server.services.tenants.read(tenantId, async (db) => {
      const tables = await db.sql<{ name: string }>(TABLES);
      // One statement for all, since this runs twice for each operation.
      const text = tables
        .map(
          ({ name }) =>
            `SELECT '${name}' AS name, md5(string_agg(t::text, '' ORDER BY t::text)) FROM ${name} t`,
        )
        .join(' UNION ALL ');
      return db.sql({ name: 'digests-of-tables', text });
    });
    const { rows: identity } = await owner.query(
      `SELECT (SELECT json_agg(k ORDER BY k.id) FROM identity.api_keys k WHERE k.tenant_id = $1) AS keys,
              (SELECT json_agg(s ORDER BY s.id) FROM identity.sessions s WHERE s.tenant_id = $1) AS sessions,
              (SELECT json_agg(m ORDER BY m.user_id) FROM identity.memberships m WHERE m.tenant_id = $1) AS members,
              (SELECT json_agg(u ORDER BY u.id) FROM identity.users u JOIN identity.memberships m ON m.user_id = u.id
               WHERE m.tenant_id = $1) AS people,
              (SELECT json_agg(r ORDER BY r.name) FROM identity.roles r WHERE r.tenant_id = $1) AS roles,
              (SELECT json_agg(t) FROM identity.tenants t WHERE t.id = $1) AS tenant,
              (SELECT count(*) FROM graphile_worker._private_jobs j WHERE j.payload->>'tenantId' = $2) AS jobs`,
      [tenantId, tenantId],
    );
    return JSON.stringify([kept, identity]);
  }
}

/** The tables that the serving role can read, and so all that a request may change. */
const TABLES = {
  name: 'tables-of-tenants',
  text: `SELECT table_name AS name FROM information_schema.columns
         WHERE table_schema = 'public' AND column_name = 'tenant_id'
           AND has_table_privilege(format('%I.%I', table_schema, table_name), 'SELECT')
         ORDER BY 1`,
};
