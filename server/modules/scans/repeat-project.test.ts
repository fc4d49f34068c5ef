import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst, type Scan } from '../../../tests/kit/analyst.ts';
import { cluster } from '../../../tests/kit/export-records.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';

let server: TestServer;
let analyst: Analyst;
let project: string;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
});

beforeEach(async () => {
  analyst = await Analyst.at(server);
  project = await analyst.project();
});

afterAll(() => server.close());

const bad = (name: string) => cluster(name, { legacyAbac: true });
const sink = {
  name: '//logging.googleapis.com/projects/p/sinks/s',
  asset_type: 'logging.googleapis.com/LogSink',
  resource: {
    version: 'v2',
    data: { name: 's', destination: 'storage.googleapis.com/logs', filter: 'severity>=ERROR' },
  },
};

function rows(sql: string, values: readonly unknown[] = []) {
  return rowsOf(server.database, analyst.tenantId, sql, values);
}

/** The versions of all rows of findings: any write to a finding changes its own. */
function versions() {
  return rows('SELECT id, xmin::text, ctid::text FROM findings ORDER BY id');
}

/** Everything that readers see of the findings. The ids of scans and times of mutes are not part of it. */
async function seenByReaders(scan: Scan) {
  const one = (await analyst.findings())[0]?.id ?? '';
  const seen = {
    totals: scan.totals,
    delta: scan.delta,
    all: await analyst.findings(),
    one: await analyst.ask(200, `/findings/${one}`),
    ofScan: await analyst.findings(`scan=${scan.id}`),
    unchanged: await analyst.findings('delta=unchanged&sort=lastSeen', 1),
    isNew: await analyst.findings('delta=new'),
    summary: await analyst.ask(200, '/findings/summary'),
    ofScanSummary: await analyst.ask(200, `/findings/summary?scan=${scan.id}`),
    groups: await analyst.ask(200, '/findings/groups?by=rule'),
  };
  // The one difference that is meant: the time of the scan, the same for all findings.
  const [at = '', ...others] = await lastSeen();
  expect(others).toEqual([]);
  return JSON.parse(JSON.stringify(seen).replaceAll(at, 'the time of the scan'));
}

async function lastSeen(filter = ''): Promise<string[]> {
  return [...new Set((await analyst.findings(filter)).map(({ lastSeenAt }) => lastSeenAt))];
}

describe('a scan in which nothing changed', () => {
  it('a scan in which nothing changed writes to no finding, and readers see what a scan that writes to all shows', async () => {
    await analyst.upload(project, [bad('a'), bad('b'), cluster('c'), sink]);
    await analyst.scan(project);
    server.clock.advance({ hours: 1 });
    // Evaluated anew, with a write to each finding.
    await rows('UPDATE scan_verdicts SET fingerprints = NULL');
    const written = await seenByReaders(await analyst.scan(project));
    expect(written.all.length).toBeGreaterThan(2);
    const before = await versions();
    const onAssets = await analyst.findings(`rule=gke-legacy-abac`);
    const repeated = await seenByReaders(await analyst.scan(project));
    expect(repeated).toEqual(written);
    const after = await versions();
    for (const { id } of onAssets) {
      expect(after.find((row) => row.id === id)).toEqual(before.find((row) => row.id === id));
    }
  });

  it('findings that a scan saw again without a write show the time of that scan, and of the next', async () => {
    await analyst.upload(project, [bad('a'), bad('b')]);
    await analyst.scan(project, 'gke');
    for (let round = 0; round < 3; round += 1) {
      server.clock.advance({ hours: 1 });
      const before = server.clock.now();
      await analyst.scan(project, 'gke');
      const [at = '', ...others] = await lastSeen();
      expect(others).toEqual([]);
      expect(Date.parse(at)).toBeGreaterThanOrEqual(before.getTime());
    }
  });

  it('a finding that is resolved after a scan without writes keeps the time of that scan', async () => {
    await analyst.upload(project, [bad('a'), bad('b')]);
    await analyst.scan(project, 'gke');
    server.clock.advance({ hours: 1 });
    await analyst.scan(project, 'gke');
    const [repeatedAt] = await lastSeen();
    server.clock.advance({ hours: 1 });
    await analyst.upload(project, [cluster('a'), bad('b')]);
    const scan = await analyst.scan(project, 'gke');
    expect(scan.delta).toMatchObject({ unchanged: 1, resolved: 1 });
    expect(await lastSeen('status=resolved')).toEqual([repeatedAt]);
    expect(await lastSeen('status=open')).not.toEqual([repeatedAt]);
  });

  it('a finding of a rule for whole projects that gives no result keeps the time of the scan that saw it', async () => {
    await analyst.upload(project, [bad('a'), sink]);
    await analyst.scan(project);
    const rule = 'rule=log-sink-all';
    const [seenAt] = await lastSeen(rule);
    expect(seenAt).toBeDefined();
    await analyst.upload(project, [bad('a')]);
    for (let round = 0; round < 3; round += 1) {
      server.clock.advance({ hours: 1 });
      expect((await analyst.scan(project)).status).toBe('completed');
      expect(await lastSeen(rule)).toEqual([seenAt]);
      expect(await lastSeen('rule=gke-legacy-abac')).not.toEqual([seenAt]);
    }
  });

  it('a scan evaluates an unchanged inventory when a finding would seem to be seen again by a rule without a result', async () => {
    await analyst.upload(project, [bad('a'), sink]);
    await analyst.scan(project);
    const rule = 'rule=log-sink-all';
    const [seenAt] = await lastSeen(rule);
    await analyst.upload(project, [bad('a')]);
    const { id } = await analyst.scan(project);
    await rows("UPDATE findings SET last_scan_id = $1 WHERE rule_id = 'log-sink-all'", [id]);
    server.clock.advance({ hours: 1 });
    const before = await versions();
    expect((await analyst.scan(project)).status).toBe('completed');
    expect(await lastSeen(rule)).toEqual([seenAt]);
    expect(await versions()).not.toEqual(before);
  });

  it('a scan of other rules leaves the findings of a scan without writes as that scan saw them', async () => {
    await analyst.upload(project, [bad('a'), bad('b')]);
    await analyst.scan(project, 'gke');
    server.clock.advance({ hours: 1 });
    await analyst.scan(project, 'gke');
    const seen = await analyst.findings();
    server.clock.advance({ hours: 1 });
    await analyst.ask(201, '/profiles', {
      method: 'POST',
      body: { name: 'custom:other', include: ['bucket-public'] },
    });
    expect((await analyst.scan(project, 'custom:other')).status).toBe('completed');
    expect(await analyst.findings()).toEqual(seen);
  });

  it('a scan that is about to end without writes is cancelled instead when somebody asks for it meanwhile', async () => {
    await analyst.upload(project, [bad('a'), bad('b')]);
    const first = await analyst.scan(project, 'gke');
    const seen = await analyst.findings();
    const { owner } = server.database;
    const waiting = (what: string, where: string) =>
      until(what, async () => {
        const { rows: found } = await owner.query(
          `SELECT 1 FROM pg_locks WHERE NOT granted AND ${where}`,
        );
        return found.length === 1;
      });
    await owner.query('BEGIN');
    // The scan cannot note that it has seen its findings.
    await owner.query('LOCK TABLE scan_findings IN SHARE MODE');
    const scanId = await analyst.launch(project, 'gke');
    await waiting('the scan to note its findings', "relation = 'scan_findings'::regclass");
    const cancelled = analyst.ask(202, `/scans/${scanId}/cancel`, { method: 'POST' });
    await waiting('the cancellation', "locktype = 'advisory'");
    await owner.query('COMMIT');
    expect(await cancelled).toMatchObject({ status: 'cancelled', totals: { assets: 0 } });
    expect(await analyst.findings(`scan=${scanId}`)).toEqual([]);
    expect(await analyst.findings()).toEqual(seen);
    // The results are still there to be repeated.
    const next = await analyst.scan(project, 'gke');
    expect(next).toMatchObject({ totals: first.totals, delta: { unchanged: 2 } });
  });

  it('two scans without writes compare as unchanged', async () => {
    await analyst.upload(project, [bad('a'), bad('b')]);
    await analyst.scan(project, 'gke');
    const earlier = await analyst.scan(project, 'gke');
    const later = await analyst.scan(project, 'gke');
    const { items } = await analyst.ask(200, `/scans/${later.id}/compare?with=${earlier.id}`);
    expect(items.map((item: { change: string }) => item.change)).toEqual([
      'unchanged',
      'unchanged',
    ]);
  });
});

describe('a scan without writes after a rule was deleted', () => {
  const RULE = {
    id: 'mine',
    title: 'Cluster with legacy authorization',
    description: 'Clusters use roles here.',
    severity: 'critical',
    assetTypes: ['container.googleapis.com/Cluster'],
    predicate: 'resource.data.legacyAbac.enabled == true',
    recommendation: 'Use roles.',
  };

  const profile = (name: string, include: readonly string[]) =>
    analyst.ask(201, '/profiles', { method: 'POST', body: { name, include } });

  // Two are looked up by their ids; 1,001 are too many for that.
  it.each([2, 1001])(
    'a scan without writes to findings resolves %i of a deleted rule, and the posture counts what stays open',
    async (count) => {
      analyst = await Analyst.at(server, { tenant: await server.people.tenant(['custom_rules']) });
      project = await analyst.project();
      await analyst.ask(201, '/custom-rules', { method: 'POST', body: RULE });
      await profile('custom:deleted', ['mine']);
      await profile('custom:kept', ['gke-legacy-abac', 'log-sink-all']);
      const clusters = Array.from({ length: count }, (_, index) => bad(`c${index}`));
      await analyst.upload(project, [...clusters, sink]);
      await analyst.scan(project, 'custom:deleted');
      await analyst.scan(project, 'custom:kept');
      await analyst.ask(204, '/custom-rules/mine', { method: 'DELETE' });
      const before = await versions();
      const scan = await analyst.scan(project, 'custom:kept');
      expect(scan).toMatchObject({ delta: { unchanged: count + 1, resolved: count } });
      const open = await rows(
        `SELECT rule_id, count(*)::int FROM findings WHERE status = 'open' GROUP BY rule_id ORDER BY rule_id`,
      );
      expect(open).toEqual([
        { rule_id: 'gke-legacy-abac', count },
        { rule_id: 'log-sink-all', count: 1 },
      ]);
      const counted = await rows(
        `SELECT critical, high + medium + low + info AS others FROM posture_days`,
      );
      expect(counted).toEqual([{ critical: 0, others: count + 1 }]);
      const after = new Set((await versions()).map((row) => JSON.stringify(row)));
      // One row is of the rule for whole projects.
      expect(before.filter((row) => after.has(JSON.stringify(row)))).toHaveLength(count);
    },
  );
});

describe('a scan of the same bytes', () => {
  const records = [...Array(60).keys()].map((index) => bad(`c${index}`));

  it('a scan of an inventory that was uploaded again with the same bytes repeats the last results', async () => {
    await analyst.upload(project, records);
    await analyst.scan(project, 'gke');
    await analyst.upload(project, records);
    // Every evaluation fails, so a scan that completes has repeated its results.
    await rows("UPDATE inventory_chunks SET data = 'no gzip' || data");
    const scan = await analyst.scan(project, 'gke');
    await rows('UPDATE inventory_chunks SET data = substr(data, 8)');
    expect(scan).toMatchObject({ status: 'completed', delta: { new: 0, unchanged: 60 } });
    const { items } = await analyst.ask(200, `/projects/${project}/assets?limit=1`);
    const asset = await analyst.ask(
      200,
      `/projects/${project}/assets/lookup?name=${encodeURIComponent(items[0].name)}`,
    );
    expect(asset.verdicts).toContainEqual(
      expect.objectContaining({ ruleId: 'gke-legacy-abac', verdict: 'fail' }),
    );
  });

  it('a scan of an inventory with one other byte evaluates it', async () => {
    await analyst.upload(project, records);
    await analyst.scan(project, 'gke');
    await analyst.upload(project, [cluster('c0'), ...records.slice(1)]);
    const scan = await analyst.scan(project, 'gke');
    expect(scan.delta).toMatchObject({ unchanged: 59, resolved: 1 });
  });

  it('inventories of the same bytes in two projects are stored in different orders', async () => {
    const other = await analyst.project();
    await analyst.upload(project, records);
    await analyst.upload(other, records);
    const stored = await rows(
      "SELECT encode(seed, 'hex') AS seed, encode(content_digest, 'hex') AS digest FROM inventories",
    );
    expect(new Set(stored.map(({ seed }) => String(seed))).size).toBe(2);
    expect(new Set(stored.map(({ digest }) => String(digest))).size).toBe(2);
  });
});
