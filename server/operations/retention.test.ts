import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPool } from '../database/pool.ts';
import { TenantDatabase } from '../database/tenant-database.ts';
import { newId } from '../ids.ts';
import { Belongings } from '../testing/belongings.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { createLogger } from './logger.ts';
import { retentionTask } from './retention.ts';

describe('what is over', () => {
  let server: TestServer;
  let clearAway: () => Promise<void>;
  let close: () => Promise<void>;

  beforeAll(async () => {
    server = await startTestServer();
    // As the worker does it: by its own role.
    const pool = createPool({
      url: server.database.workerUrl,
      name: 'retention test',
      maxConnections: 2,
      statementTimeoutMs: 10_000,
      onError: () => undefined,
    });
    const services = {
      pool,
      tenants: new TenantDatabase(pool),
      clock: server.clock,
      log: createLogger('silent'),
    };
    const task = retentionTask(services, { auditMonths: 2, scanMonths: 1 });
    clearAway = () => task({}, { isLast: false, isStopping: () => false });
    close = () => pool.end();
  });

  afterAll(async () => {
    await close();
    await server.close();
  });

  /** Of the rows of a tenant. */
  const count = async (tenantId: string, table: string, where = 'true') => {
    const [row] = await server.services.tenants.read(tenantId, (db) =>
      db.sql<{ count: number }>({
        name: `count ${table} ${where}`,
        text: `SELECT count(*)::int AS count FROM ${table} WHERE ${where}`,
      }),
    );
    return row?.count;
  };

  it('is cleared away when its time has come, and not before', async () => {
    const user = await server.people.user();
    const session = await server.people.session(user);
    const key = await server.people.key(user);
    const launched = await server.call('/projects', {
      method: 'POST',
      headers: { 'x-api-key': key.key, 'idempotency-key': 'once' },
      body: { name: 'shop' },
    });
    expect(launched.status).toBe(201);
    const records = () => count(user.tenant.id, 'idempotency_records');
    const sessions = async () => {
      const { owner } = server.database;
      return (await owner.query('SELECT 1 FROM identity.sessions WHERE id = $1', [session.id]))
        .rowCount;
    };
    await clearAway();
    expect([await records(), await sessions()]).toEqual([1, 1]);
    server.clock.advance({ hours: 25 });
    await clearAway();
    expect([await records(), await sessions()]).toEqual([0, 1]);
    server.clock.advance({ days: 38 });
    await clearAway();
    expect(await sessions()).toBe(0);
    expect(await count(user.tenant.id, 'projects')).toBe(1);
  });

  it('includes uploads that were never finished, of every tenant', async () => {
    const tenants = [(await server.people.user()).tenant, (await server.people.user()).tenant];
    for (const tenant of tenants) {
      const { id: projectId } = await new Belongings(
        server.services,
        server.database,
        tenant,
      ).project();
      const createdAt = new Date(server.clock.now().getTime() - 25 * 3_600_000);
      const upload = {
        tenantId: tenant.id,
        id: newId(),
        projectId,
        status: 'receiving',
        createdAt,
      };
      const nothing = { assets: 0, assetTypes: [], bytes: 0, warnings: [] };
      await server.services.tenants.write(tenant.id, ({ prisma }) =>
        prisma.inventory.createMany({ data: { ...upload, ...nothing } }),
      );
    }
    const uploads = () =>
      Promise.all(tenants.map(({ id }) => count(id, 'inventories', "status = 'receiving'")));
    expect(await uploads()).toEqual([1, 1]);
    await clearAway();
    expect(await uploads()).toEqual([0, 0]);
    const [tenant] = tenants;
    expect(await count(tenant?.id ?? '', 'inventories', "status = 'ready'")).toBe(1);
  });

  it('goes by whole months: those of the audit trail that are past their time are dropped', async () => {
    const months = async () => {
      const { rows } = await server.database.owner.query(
        `SELECT relname FROM pg_class WHERE relname ~ '^audit_events_\\d' AND relkind = 'r' ORDER BY 1`,
      );
      return rows.map(({ relname }) => relname.slice('audit_events_'.length));
    };
    const before = await months();
    server.clock.advance({ days: 130 });
    const now = server.clock.now();
    await clearAway();
    const after = await months();
    const oldest = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 1));
    const nameOf = (date: Date) => date.toISOString().slice(0, 7).replace('-', '_');
    expect(before.some((month) => month < nameOf(oldest))).toBe(true);
    expect(after.every((month) => month >= nameOf(oldest))).toBe(true);
    const ahead = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 3, 1));
    expect(after).toContain(nameOf(ahead));
  });

  it('is safe to clear away twice, and does not touch another table by its name', async () => {
    await clearAway();
    await clearAway();
    await expect(
      server.database.owner.query("SELECT jobs.retire_partitions('projects', now())"),
    ).rejects.toThrow('partitions of projects are kept');
  });
});
