import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase } from '../../../tests/kit/database.ts';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { retentionOf } from '../../../tests/kit/retention.ts';
import { testPool } from '../../../tests/kit/test-pool.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { newId } from '../../platform/ids.ts';
import { createLogger } from '../../platform/logger.ts';
import { startWorker } from '../../start/start-worker.ts';

const MANY_SCANS = {
  name: '',
  text: `INSERT INTO scans (tenant_id, id, status, profile, profile_digest, created_by_kind, created_by_label,
           created_at, started_at, finished_at)
         SELECT $1, gen_random_uuid(), 'completed', 'full', '', 'schedule', 'a schedule', $3, $3, $3
         FROM generate_series(1, $2::int)`,
};
const MANY_EVENTS = {
  name: '',
  text: `INSERT INTO webhook_events (tenant_id, id, type, body, created_at)
         SELECT $1, gen_random_uuid(), 'scan.completed', '{}', $3 FROM generate_series(1, $2::int)`,
};
const MANY_DELIVERIES = {
  name: '',
  text: `INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_id, status, created_at)
         SELECT $1, gen_random_uuid(), gen_random_uuid(), id, 'delivered', $3
         FROM webhook_events WHERE tenant_id = $1 LIMIT $2::int`,
};

describe('the retention task', () => {
  let server: TestServer;
  let clearAway: () => Promise<void>;
  let close: () => Promise<void>;

  beforeAll(async () => {
    server = await startTestServer();
    // Uses the worker's own database role.
    const pool = testPool(server.database.workerUrl, { maxConnections: 2 });
    clearAway = retentionOf(server, pool);
    close = () => pool.end();
  });

  afterAll(async () => {
    await close();
    await server.close();
  });

  /** Counts rows of a tenant. */
  const count = async (tenantId: string, table: string, where = 'true') => {
    const [row] = await server.services.tenants.read(tenantId, (db) =>
      db.sql<{ count: number }>({
        name: `count ${table} ${where}`,
        text: `SELECT count(*)::int AS count FROM ${table} WHERE ${where}`,
      }),
    );
    return row?.count;
  };

  it('the retention task deletes expired data on time, but not before', async () => {
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

  it('the retention task deletes unfinished uploads of every tenant', async () => {
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

  it('the retention task deletes mail tokens, pending sign-ins and throttles some time after they expire', async () => {
    const user = await server.people.user();
    const { owner } = server.database;
    const now = server.clock.now();
    const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
    for (const days of [-8, -6, 1]) {
      const at = inDays(days);
      await owner.query(
        `INSERT INTO identity.mail_tokens (hash, user_id, email, purpose, expires_at)
         VALUES (sha256($1), $2, '', 'reset', $3)`,
        [Buffer.from(`${user.id} ${days}`), user.id, at],
      );
      for (const kind of ['saml-request', 'saml-assertion', 'exchange-code']) {
        await owner.query(
          `INSERT INTO identity.one_time_values (kind, value, detail, expires_at) VALUES ($1, $2, '{}', $3)`,
          [kind, `${user.id} ${days}`, at],
        );
      }
      await owner.query(
        'INSERT INTO identity.throttles (key, attempts, ends_at) VALUES ($1, 1, $2)',
        [`${user.id} ${days}`, at],
      );
    }
    await clearAway();
    const left = async (table: string, column: string) => {
      const sql = `SELECT ${column} AS at FROM identity.${table} ORDER BY 1`;
      return (await owner.query<{ at: Date }>(sql)).rows.map(({ at }) => at);
    };
    // Kept one week longer, so that a late click still gets the answer that the token was used.
    expect(await left('mail_tokens', 'expires_at')).toEqual([inDays(-6), inDays(1)]);
    expect(await left('one_time_values', 'expires_at')).toEqual(Array(3).fill(inDays(1)));
    expect((await left('throttles', 'ends_at')).every((at) => at > now)).toBe(true);
  });

  /** Adds jobs. By default, a mail that was queued 31 days ago and whose attempts are used up. */
  async function addJobs(
    name: string,
    { task = 'send-mail', days = 31, attempts = 25, worker = null as string | null, count = 1 },
  ): Promise<void> {
    const { owner } = server.database;
    await owner.query(
      `SELECT graphile_worker.add_job($1, json_build_object('name', $2::text), max_attempts => 25)
       FROM generate_series(1, $3::int)`,
      [task, name, count],
    );
    await owner.query(
      `UPDATE graphile_worker._private_jobs SET created_at = now() - make_interval(days => $2), attempts = $3,
         locked_by = $4::text, locked_at = CASE WHEN $4::text IS NOT NULL THEN now() END
       WHERE payload->>'name' = $1`,
      [name, days, attempts, worker],
    );
  }

  it('the retention task deletes failed mails 30 days after they were queued, and no other jobs', async () => {
    await addJobs('failed mails', { count: 1_200 });
    await addJobs('failed digest', { task: 'send-digest' });
    await addJobs('failed lately', { days: 29 });
    await addJobs('still tried', { attempts: 24 });
    await addJobs('being sent', { worker: 'a worker' });
    await addJobs('other task', { task: 'pull-inventory' });
    await clearAway();
    const { rows } = await server.database.owner.query<{ name: string }>(
      `SELECT payload->>'name' AS name FROM graphile_worker._private_jobs ORDER BY 1`,
    );
    const kept = ['being sent', 'failed lately', 'other task', 'still tried'];
    expect(rows.map(({ name }) => name)).toEqual(kept);
  });

  it('the retention task does not revive a master key whose time limit has ended', async () => {
    const { owner } = server.database;
    const over = new Date(server.clock.now().getTime() - 400 * 86_400_000);
    const enter = 'SELECT identity.enter_break_glass(sha256($1), $2, $3) AS ends';
    const key = Buffer.from(newId());
    await owner.query(enter, [key, over, over]);
    await clearAway();
    const { rows } = await owner.query<{ ends: Date }>(enter, [key, new Date(), new Date()]);
    expect(rows[0]?.ends).toEqual(over);
  });

  it('the retention task deletes inventories beyond the newest few, but not the active one or one that a scan reads', async () => {
    const { tenant } = await server.people.user();
    const belongings = new Belongings(server.services, server.database, tenant);
    const { id: projectId } = await belongings.project();
    const data = ['first', 'second', 'third', 'fourth'].map((name, index) => ({
      ...{ tenantId: tenant.id, id: newId(), projectId, status: 'ready' },
      ...{ assets: 0, assetTypes: [], bytes: 0, warnings: [name] },
      createdAt: new Date(server.clock.now().getTime() + (index + 1) * 1000),
    }));
    const [read] = data;
    const scan = await belongings.scan();
    await server.services.tenants.write(tenant.id, async ({ prisma }) => {
      await prisma.inventory.createMany({ data });
      await prisma.scanProject.updateMany({
        where: { tenantId: tenant.id, scanId: scan },
        data: { status: 'running', inventoryId: read?.id ?? '', projectId },
      });
    });
    await clearAway();
    const kept = await server.services.tenants.read(tenant.id, ({ prisma }) =>
      prisma.inventory.findMany({
        where: { tenantId: tenant.id, projectId },
        orderBy: { createdAt: 'asc' },
      }),
    );
    expect(kept.map(({ warnings }) => warnings)).toEqual([
      expect.anything(),
      ['first'],
      ['third'],
      ['fourth'],
    ]);
  });

  it('the retention task deletes scans with their data after the configured months', async () => {
    const { tenant } = await server.people.user();
    const belongings = new Belongings(server.services, server.database, tenant);
    await belongings.endedScan();
    await belongings.scan();
    const counts = () =>
      Promise.all(['scans', 'scan_projects'].map((table) => count(tenant.id, table)));
    await clearAway();
    expect(await counts()).toEqual([2, 2]);
    server.clock.advance({ days: 63 });
    await clearAway();
    // A scan that has not ended is kept, however old it is.
    expect(await counts()).toEqual([1, 1]);
  });

  it('the retention task keeps the last scan of a project, from which posture is read', async () => {
    const user = await server.people.user();
    const belongings = new Belongings(server.services, server.database, user.tenant);
    const { id: projectId } = await belongings.project();
    const scans: string[] = [];
    for (const day of [1, 2]) {
      const id = await belongings.endedScan();
      scans.push(id);
      await server.database.owner.query(
        `SELECT set_config('app.tenant_id', '${user.tenant.id}', true);
         INSERT INTO posture_days
         SELECT '${user.tenant.id}', '${projectId}', '2026-01-0${day}', '${id}', now(),
           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0`,
      );
    }
    server.clock.advance({ days: 63 });
    await clearAway();
    expect(await count(user.tenant.id, 'scans')).toBe(1);
    expect(await count(user.tenant.id, 'scans', `id = '${scans[1]}'`)).toBe(1);
  });

  it('the retention task deletes mutes some time after they expire', async () => {
    const user = await server.people.user();
    const selector = { ruleId: 'bucket-public' };
    for (const days of [1, 200]) {
      const expiresAt = new Date(server.clock.now().getTime() + days * 24 * 3_600_000);
      const body = { selector, reason: 'Known', expiresAt };
      const { status } = await server.call('/mutes', { method: 'POST', headers: user.key, body });
      expect(status).toBe(201);
    }
    await clearAway();
    expect(await count(user.tenant.id, 'mutes')).toBe(2);
    server.clock.advance({ days: 63 });
    await clearAway();
    expect(await count(user.tenant.id, 'mutes')).toBe(1);
  });

  it('the retention task deletes scans, deliveries and events in short statements', async () => {
    const { tenant } = await server.people.user();
    const { owner } = server.database;
    const at = server.clock.now();
    await server.services.tenants.write(tenant.id, async ({ sql }) => {
      await sql(MANY_SCANS, [tenant.id, 25, at]);
      await sql(MANY_EVENTS, [tenant.id, 25_000, at]);
      await sql(MANY_DELIVERIES, [tenant.id, 25_000, at]);
    });
    const rows = () =>
      Promise.all(
        ['scans', 'webhook_deliveries', 'webhook_events'].map((table) => count(tenant.id, table)),
      );
    expect(await rows()).toEqual([25, 25_000, 25_000]);
    await owner.query(`
      CREATE TABLE public.deleted (most int);
      CREATE FUNCTION public.note_deleted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
        'BEGIN INSERT INTO public.deleted SELECT count(*) FROM gone; RETURN NULL; END'`);
    const tables = ['scans', 'webhook_deliveries', 'webhook_events'];
    for (const table of tables) {
      await owner.query(`CREATE TRIGGER note_deleted AFTER DELETE ON ${table} REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION public.note_deleted()`);
    }
    server.clock.advance({ days: 63 });
    await clearAway();
    expect(await rows()).toEqual([0, 0, 0]);
    const deleted = await owner.query('SELECT most FROM deleted WHERE most > 0 ORDER BY most');
    const most = [5, 10, 10, 5_000, 5_000, 10_000, 10_000, 10_000, 10_000];
    expect(deleted.rows.map((row) => row.most)).toEqual(most);
    for (const table of tables) await owner.query(`DROP TRIGGER note_deleted ON ${table}`);
    await owner.query('DROP FUNCTION public.note_deleted; DROP TABLE public.deleted');
  });

  it("the retention task runs on the queue's schedule, and in the next worker after a pause", async () => {
    const database = await cloneDatabase();
    const own = await startTestServer({ database });
    const user = await own.people.user();
    await database.owner.query(
      "UPDATE identity.sessions SET expires_at = now() - interval '8 days' WHERE id = $1",
      [user.sessionId],
    );
    await database.owner.query(
      `INSERT INTO graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
       VALUES ('retention', now() - interval '9 days', now() - interval '3 days')`,
    );
    const worker = await startWorker({
      databaseUrl: database.workerUrl,
      log: createLogger('silent'),
      clock: own.clock,
      retention: { auditMonths: 2, scanMonths: 1, inventoriesKept: 2 },
    });
    await until('the session to be gone', async () => {
      const { rowCount } = await database.owner.query('SELECT 1 FROM identity.sessions');
      return rowCount === 0;
    });
    await worker.stop();
    await own.close();
    await database.drop();
  });

  it.each([
    ['an error', 'P0001'],
    ['a statement that takes too long', '57014'],
  ])(
    'the retention task continues with the next steps and tenants after %s, and reports the failure at the end',
    async (_, state) => {
      const { owner } = server.database;
      const tenants = [(await server.people.user()).tenant, (await server.people.user()).tenant];
      const rows = () => Promise.all(tenants.map(({ id }) => count(id, 'scans')));
      for (const tenant of tenants) {
        await new Belongings(server.services, server.database, tenant).endedScan();
        const values = [tenant.id, 1, server.clock.now()];
        await server.services.tenants.write(tenant.id, ({ sql }) => sql(MANY_EVENTS, values));
      }
      server.clock.advance({ days: 63 });
      const [held] = tenants;
      await owner.query(`
      CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'stuck' USING ERRCODE = '${state}'; END $$;
      CREATE TRIGGER held BEFORE DELETE ON scans FOR EACH ROW WHEN (OLD.tenant_id = '${held?.id}')
        EXECUTE FUNCTION public.refuse()`);
      await expect(clearAway()).rejects.toThrow(/Failed to purge 1 of /);
      expect(await rows()).toEqual([1, 0]);
      // The step after that of scans.
      expect(await count(held?.id ?? '', 'webhook_events')).toBe(0);
      await owner.query('DROP TRIGGER held ON scans; DROP FUNCTION public.refuse');
      await clearAway();
      expect(await rows()).toEqual([0, 0]);
    },
  );
});
