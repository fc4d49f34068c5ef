import { randomUUID } from 'node:crypto';
import { contract, type Routes } from '@cspm/contract';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../server/platform/database/migrate.ts';
import { Analyst } from '../kit/analyst.ts';
import type { TestDatabase } from '../kit/database.ts';
import { DebianCluster, debianPostgres } from '../kit/debian-postgres.ts';
import { cluster as exported } from '../kit/export-records.ts';
import { startTestServer, type TestServer } from '../kit/test-server.ts';
import { until } from '../kit/until.ts';

const bin = debianPostgres();
const suite = 'reads with a replica (skipped where Debian has no postgresql)';

describe.skipIf(bin === null)(suite, () => {
  let primary: DebianCluster;
  let replica: DebianCluster;
  let database: TestDatabase;
  let first: TestServer;
  let second: TestServer;
  let analyst: Analyst;
  let session: Record<string, string>;
  /** The same user at the second server. */
  let other: Analyst;

  beforeAll(async () => {
    primary = await DebianCluster.start(bin ?? '');
    const { urls } = primary;
    await migrate(urls);
    replica = await primary.standby('replica1');
    const owner = new pg.Client({ connectionString: urls.ownerUrl });
    owner.on('error', () => undefined);
    await owner.connect();
    database = { ...urls, owner, drop: async () => undefined };
    const options = { database, replicaUrl: replica.urls.appUrl };
    first = await startTestServer({
      ...{ ...options, worker: true },
      config: { databaseTimeoutMs: 4_000 },
    });
    second = await startTestServer({ ...options, config: { databaseTimeoutMs: 4_000 } });
    const tenant = await first.people.tenant(['audit_export']);
    const user = await first.people.user({ tenant });
    session = { ...user.session };
    analyst = new Analyst(first, user.key, user.tenant.id);
    other = new Analyst(second, analyst.headers, analyst.tenantId);
    await present();
  });

  afterEach(async () => {
    await replica.sql('SELECT CASE WHEN pg_is_in_recovery() THEN pg_wal_replay_resume() END');
  });

  afterAll(async () => {
    await first.close();
    await second.close();
    await database.owner.end();
    await replica.stop();
    await primary.stop();
  });

  /** A metric of the second server, by its name and a part of its labels; 0 if there is none. */
  async function metric(name: string, label = ''): Promise<number> {
    const lines = (await second.services.metrics.text()).split('\n');
    const line = lines.find((text) => text.startsWith(`${name}{`) && text.includes(label));
    return Number(line?.split(' ').at(-1) ?? 0);
  }

  const reads = (outcome: string) => metric('cspm_replica_reads_total', `outcome="${outcome}"`);

  async function present(): Promise<void> {
    await until('the replica to serve reads', async () => (await metric('cspm_replica_up')) === 1);
  }

  /** Writes at one server and reads it at the other one at once. */
  async function writesAreReadBack(times: number): Promise<void> {
    for (let count = 0; count < times; count += 1) {
      const name = await analyst.project();
      const { items } = await other.ask(200, '/projects?limit=100');
      expect(items.map((project: { name: string }) => project.name)).toContain(name);
      expect((await other.call(`/projects/${name}`)).status).toBe(200);
    }
  }

  it('reads on a replica show writes that another server acknowledged just before', async () => {
    const before = await reads('replica');
    await writesAreReadBack(25);
    expect(await reads('replica')).toBeGreaterThan(before);
    expect(await metric('cspm_replica_lag_seconds')).toBeLessThan(60);
  });

  it('every operation whose policy allows it reads from a replica, and none of its statements writes', async () => {
    const project = await analyst.project([exported('a', { legacyAbac: true }), exported('b')]);
    const earlier = await analyst.scan(project, 'gke');
    const scan = await analyst.scan(project, 'gke');
    const [finding] = await analyst.findings();
    const asset = encodeURIComponent(finding?.asset.name ?? '');
    const paths: Readonly<Record<string, string>> = {
      'projects.list': '/projects',
      'projects.get': `/projects/${project}`,
      'projects.inventories': `/projects/${project}/inventories`,
      'assets.list': `/projects/${project}/assets`,
      'assets.lookup': `/projects/${project}/assets/lookup?name=${asset}`,
      'findings.list': '/findings',
      'findings.summary': '/findings/summary',
      'findings.groups': '/findings/groups?by=rule',
      'findings.export': '/findings/export',
      'findings.get': `/findings/${finding?.id}`,
      'scans.list': '/scans',
      'scans.get': `/scans/${scan.id}`,
      'scans.rules': `/scans/${scan.id}/rules`,
      'scans.compliance': `/scans/${scan.id}/compliance`,
      'scans.report': `/scans/${scan.id}/report?format=csv`,
      'scans.compare': `/scans/${scan.id}/compare?with=${earlier.id}`,
      'posture.summary': '/posture/summary',
      'posture.trend': '/posture/trend',
      'mutes.list': '/mutes',
      'auditEvents.list': '/audit-events',
      'auditEvents.export': '/audit-events/export',
    };
    const allowed = Object.entries(contract as Record<string, Routes>).flatMap(([name, routes]) =>
      Object.entries(routes)
        .filter(([, { metadata }]) => metadata.replica)
        .map(([operation]) => `${name}.${operation}`),
    );
    expect(Object.keys(paths).toSorted()).toEqual(allowed.toSorted());
    for (const [operation, path] of Object.entries(paths)) {
      await until(`${operation} to be served by the replica`, async () => {
        const before = await reads('replica');
        const reply = await other.call(path);
        expect([operation, reply.status]).toEqual([operation, 200]);
        return (await reads('replica')) > before;
      });
    }
    expect(await reads('write')).toBe(0);
  });

  it('a paused replica is never used for decisions: a revoked key is refused, and a repeated key replays', async () => {
    await pause();
    const create = { method: 'POST', body: { name: 'short' }, headers: session };
    const { json } = await first.call('/api-keys', create);
    const bearer = new Analyst(second, { 'x-api-key': json.key }, analyst.tenantId);
    expect((await bearer.call('/projects')).status).toBe(200);
    await first.call(`/api-keys/${json.id}`, { method: 'DELETE', headers: session });
    expect((await bearer.call('/projects')).status).toBe(401);
    const once = { method: 'POST', body: { name: 'once' }, headers: { 'idempotency-key': 'once' } };
    expect((await analyst.call('/projects', once)).status).toBe(201);
    const again = await other.call('/projects', once);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  });

  const pause = () => replica.sql('SELECT pg_wal_replay_pause()');

  it('the primary serves reads with every write while replay is paused, and the replica serves them again afterwards', async () => {
    await present();
    await pause();
    await writesAreReadBack(10);
    expect(await reads('behind')).toBeGreaterThan(0);
    expect(await metric('cspm_replica_up')).toBe(0);
    const lag = await metric('cspm_replica_lag_seconds');
    await until('the lag to grow', async () => (await metric('cspm_replica_lag_seconds')) > lag);
    await replica.sql('SELECT pg_wal_replay_resume()');
    await present();
    const before = await reads('replica');
    await writesAreReadBack(5);
    expect(await reads('replica')).toBeGreaterThan(before);
  });

  it('reads show every write while the replica stays seconds behind', async () => {
    await replica.set('recovery_min_apply_delay', '3s');
    await writesAreReadBack(10);
    await until('the replica to be behind', async () => (await metric('cspm_replica_up')) === 0);
    await replica.set('recovery_min_apply_delay', '0');
    await present();
  });

  it('the primary serves reads when the replica is killed, and the replica serves them once it is back', async () => {
    await present();
    await replica.kill();
    await writesAreReadBack(10);
    expect(await metric('cspm_replica_up')).toBe(0);
    expect(await reads('unreachable')).toBeGreaterThan(0);
    await replica.start();
    await present();
    await writesAreReadBack(5);
  });

  it('the primary serves reads when the replica is frozen, and the replica serves them once it continues', async () => {
    await present();
    await replica.freeze();
    try {
      await writesAreReadBack(10);
      expect(await metric('cspm_replica_up')).toBe(0);
    } finally {
      await replica.thaw();
    }
    await present();
  });

  it('the primary repeats reads that replay cancels on the replica', async () => {
    await replica.set('max_standby_streaming_delay', '0');
    await present();
    const before = await reads('conflict');
    const text = 'SELECT pg_is_in_recovery() AS copy, pg_sleep($1) IS NULL FROM projects LIMIT 1';
    const statement = { name: '', text };
    let attempts = 0;
    const reading = second.services.reads.read(analyst.tenantId, async (db) => {
      attempts += 1;
      return db.sql<{ copy: boolean }>(statement, [attempts === 1 ? 600 : 0]);
    });
    await until('the read to run on the replica', async () => {
      const running = `SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep($1)%' AND pid <> pg_backend_pid()`;
      return (await replica.sql(running)) === '1';
    });
    await database.owner.query(
      'BEGIN; LOCK TABLE projects IN ACCESS EXCLUSIVE MODE; SELECT txid_current(); COMMIT',
    );
    expect(await reading).toMatchObject([{ copy: false }]);
    expect(attempts).toBe(2);
    expect(await reads('conflict')).toBe(before + 1);
  });

  it('reads that exceed their own time limit on the replica fail, and are not repeated', async () => {
    // Never: autovacuum of the primary would otherwise cancel the read before its time limit does.
    await replica.set('max_standby_streaming_delay', '-1');
    await present();
    let attempts = 0;
    const reading = second.services.reads.read(analyst.tenantId, async (db) => {
      attempts += 1;
      return db.sql({ name: '', text: 'SELECT pg_sleep(600)' });
    });
    await expect(reading).rejects.toMatchObject({ code: '57014' });
    expect(attempts).toBe(1);
  });

  it('a replica goes on serving reads while slow ones of many tenants use all connections to it', async () => {
    await present();
    const slow = { name: '', text: 'SELECT pg_is_in_recovery() AS copy FROM pg_sleep(4)' };
    const copies = Array.from({ length: 10 }, () =>
      second.services.reads.read(randomUUID(), (db) => db.sql<{ copy: boolean }>(slow)),
    );
    let isOver = false;
    const reading = Promise.all(copies).finally(() => {
      isOver = true;
    });
    const states = new Set<number>();
    await until('the reads to end', async () => {
      states.add(await metric('cspm_replica_up'));
      return isOver;
    });
    expect((await reading).flat()).toEqual(copies.map(() => ({ copy: true })));
    expect([...states]).toEqual([1]);
  });

  it('reads never come from a promoted replica, which has different writes', async () => {
    await present();
    await replica.promote();
    await replica.sql(`UPDATE projects SET name = 'diverged' WHERE name = 'once'`);
    await writesAreReadBack(10);
    const { items } = await other.ask(200, '/projects?limit=100');
    expect(items.map(({ name }: { name: string }) => name)).not.toContain('diverged');
    await until('the promotion to be noticed', async () => (await metric('cspm_replica_up')) === 0);
  });
});
