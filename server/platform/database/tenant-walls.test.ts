import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst, type Scan } from '../../../tests/kit/analyst.ts';
import { cluster } from '../../../tests/kit/export-records.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

/*
 * Two layers isolate tenants: the conditions in the application's queries and row-level security in the database. Each
 * is tested with the other one disabled.
 */

interface Holdings {
  readonly analyst: Analyst;
  readonly project: string;
  readonly scan: Scan;
  readonly findingId: string;
  readonly muteId: string;
}

async function holdings(server: TestServer): Promise<Holdings> {
  const analyst = await Analyst.at(server);
  const project = await analyst.project([cluster('a', { legacyAbac: true })]);
  const scan = await analyst.scan(project, 'gke');
  const [finding] = await analyst.findings();
  const body = { selector: { project }, reason: 'Known' };
  const { id: muteId } = await analyst.ask(201, '/mutes', { method: 'POST', body });
  return { analyst, project, scan, findingId: finding?.id ?? '', muteId };
}

describe('without row-level security, the application still isolates tenants:', () => {
  let server: TestServer;
  let mine: Holdings;
  let theirs: Holdings;

  beforeAll(async () => {
    server = await startTestServer({ worker: true });
    mine = await holdings(server);
    theirs = await holdings(server);
    const { owner } = server.database;
    const { rows } = await owner.query(
      "SELECT tablename FROM pg_policies WHERE schemaname = 'public'",
    );
    for (const { tablename } of rows) {
      await owner.query(`ALTER TABLE public.${tablename} DISABLE ROW LEVEL SECURITY`);
    }
    expect(rows.length).toBeGreaterThan(9);
    // Proves that row-level security is off: a query without a tenant sees all rows.
    const open = await server.services.tenants.read(mine.analyst.tenantId, (db) =>
      db.sql({ name: 'test-open', text: 'SELECT DISTINCT tenant_id FROM findings' }),
    );
    expect(open).toHaveLength(2);
  });

  afterAll(() => server.close());

  it.each([
    ['/projects', ({ project }: Holdings) => [project], 'name'],
    ['/scans', ({ scan }: Holdings) => [scan.id], 'id'],
    ['/findings', ({ findingId }: Holdings) => [findingId], 'id'],
    ['/mutes', ({ muteId }: Holdings) => [muteId], 'id'],
  ])(
    'without row-level security, GET %s still returns only rows of the tenant',
    async (path, own, member) => {
      for (const who of [mine, theirs]) {
        const { items } = await who.analyst.ask(200, path);
        expect(items.map((item: Record<string, unknown>) => item[member])).toEqual(own(who));
      }
    },
  );

  it.each([
    ['/scans?ids=SCAN', ({ scan }: Holdings) => scan.id],
    ['/scans?project=PROJECT', ({ scan }: Holdings) => scan.id],
    ['/findings?scan=SCAN', ({ findingId }: Holdings) => findingId],
    ['/findings?project=PROJECT', ({ findingId }: Holdings) => findingId],
    ['/findings?project=PROJECT&muted=true', ({ findingId }: Holdings) => findingId],
  ])('without row-level security, GET %s shows nothing of another tenant', async (path, own) => {
    expect((await mine.analyst.ask(200, pathOf(path, theirs))).items).toEqual([]);
    const { items } = await mine.analyst.ask(200, pathOf(path, mine));
    expect(items.map(({ id }: { id: string }) => id)).toEqual([own(mine)]);
  });

  it.each(['/projects/PROJECT', '/scans/SCAN', '/scans/SCAN/rules', '/findings/FINDING'])(
    'without row-level security, GET %s of another tenant is not found',
    async (path) => {
      expect((await mine.analyst.call(pathOf(path, theirs))).status).toBe(404);
      expect((await mine.analyst.call(pathOf(path, mine))).status).toBe(200);
    },
  );

  it('without row-level security, mutes, counts and exports of one tenant exclude those of another', async () => {
    const { analyst, findingId } = mine;
    const [mute] = (await analyst.ask(200, '/mutes')).items;
    await analyst.ask(204, `/mutes/${mute.id}`, { method: 'DELETE' });
    const { muted } = await analyst.ask(200, `/findings/${findingId}`);
    expect(muted).toBeNull();
    const { total } = await analyst.ask(200, '/findings/summary');
    expect(total).toEqual({ open: 1, resolved: 0, muted: 0 });
    const { text } = await analyst.call('/findings/export');
    expect(text.trimEnd().split('\n')).toHaveLength(1);
    expect((await analyst.call(`/mutes/${theirs.muteId}`, { method: 'DELETE' })).status).toBe(404);
  });

  it('without row-level security, a request still changes nothing of another tenant', async () => {
    const { analyst } = mine;
    const launch = await analyst.call('/scans', {
      method: 'POST',
      body: { projects: [theirs.project], profile: 'gke' },
    });
    expect(launch.json).toMatchObject({
      code: 'PREFLIGHT_BLOCKED',
      checks: [{ code: 'PROJECT_UNKNOWN' }],
    });
    expect((await analyst.send(theirs.project, '{}')).status).toBe(404);
    expect((await analyst.call(`/projects/${theirs.project}`, { method: 'DELETE' })).status).toBe(
      404,
    );
    const before = await theirs.analyst.findings();
    await analyst.upload(mine.project, [cluster('a')]);
    expect(await analyst.scan(mine.project, 'gke')).toMatchObject({ delta: { resolved: 1 } });
    expect(await theirs.analyst.findings()).toEqual(before);
  });
});

/** All reads of an endpoint that look up by id or name alone. */
const TABLES = [
  'audit_events',
  'findings',
  'idempotency_records',
  'inventories',
  'inventory_assets',
  'inventory_chunks',
  'mutes',
  'posture_days',
  'posture_totals',
  'projects',
  'scan_findings',
  'scan_projects',
  'scan_rule_counts',
  'scan_verdicts',
  'scans',
];

describe('without tenant conditions in queries, row-level security still isolates tenants:', () => {
  let server: TestServer;
  let tenants: string[];

  beforeAll(async () => {
    server = await startTestServer({ worker: true });
    tenants = [];
    for (let count = 0; count < 2; count += 1) {
      const { analyst, project } = await holdings(server);
      await analyst.ask(202, '/scans', {
        method: 'POST',
        body: { projects: [project], profile: 'gke' },
        headers: { 'idempotency-key': 'k' },
      });
      tenants.push(analyst.tenantId);
    }
  });

  afterAll(() => server.close());

  it.each(TABLES)(
    'without tenant conditions in queries, row-level security still isolates the table %s',
    async (table) => {
      for (const tenant of tenants) {
        const rows = await server.services.tenants.read(tenant, (db) =>
          db.sql({ name: `test-${table}`, text: `SELECT DISTINCT tenant_id FROM ${table}` }),
        );
        expect(rows).toEqual([{ tenant_id: tenant }]);
      }
    },
  );
});

function pathOf(path: string, { project, scan, findingId }: Holdings): string {
  return path.replace('PROJECT', project).replace('SCAN', scan.id).replace('FINDING', findingId);
}
