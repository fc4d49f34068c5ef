import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst, type Scan } from '../../../tests/kit/analyst.ts';
import { bareCluster, cluster, serviceAccountKey } from '../../../tests/kit/export-records.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { newId } from '../../platform/ids.ts';

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
const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;
const RULE = 'gke-legacy-abac';

function rows(sql: string, values: readonly unknown[] = []) {
  return rowsOf(server.database, analyst.tenantId, sql, values);
}

/** Makes every evaluation of the inventory fail, so that a scan that completes has repeated its results. */
async function spoilChunks(): Promise<void> {
  await rows("UPDATE inventory_chunks SET data = 'no gzip'");
}

/** Counts of the scan, and everything that readers see of its findings, except times. */
async function outcomeOf(scan: Scan) {
  const found = await analyst.findings(`scan=${scan.id}`);
  return {
    totals: scan.totals,
    delta: scan.delta,
    coverage: scan.coverage,
    rules: await analyst.ruleCounts(scan.id),
    findings: found.map(({ id, delta, status, message }) => ({ id, delta, status, message })),
    seenAgain: found.filter(({ firstSeenAt, lastSeenAt }) => lastSeenAt > firstSeenAt).length,
  };
}

describe('a scan of the same inventory by the same rules', () => {
  it('a scan of an unchanged inventory by unchanged rules repeats the last results without evaluating', async () => {
    await analyst.upload(project, [bad('a'), bad('b'), cluster('c'), bareCluster('d')]);
    await analyst.scan(project);
    const evaluated = await outcomeOf(await evaluatedAnew());
    await spoilChunks();
    const repeated = await analyst.scan(project);
    expect(repeated.status).toBe('completed');
    expect(await outcomeOf(repeated)).toEqual(evaluated);
    expect(evaluated.findings.length).toBeGreaterThan(1);
    // A repeated scan can be repeated in turn.
    expect(await outcomeOf(await analyst.scan(project))).toEqual(evaluated);
  });

  it('a scan of an unchanged inventory evaluates again when the scanner is another build', async () => {
    await analyst.upload(project, [bad('a')]);
    await analyst.scan(project, 'gke');
    expect((await evaluatedAnew('gke')).status).toBe('completed');
    await rows("UPDATE scan_verdicts SET evaluated_by = 'another build'");
    await spoilChunks();
    expect((await analyst.scan(project, 'gke')).status).toBe('failed');
  });

  it('a scan of an unchanged inventory evaluates again when the rules changed', async () => {
    await analyst.upload(project, [bad('a')]);
    await analyst.scan(project, 'gke');
    await spoilChunks();
    expect((await analyst.scan(project, 'full')).status).toBe('failed');
  });

  it('a scan of an unchanged inventory evaluates a chunk again when time changes the result of a rule', async () => {
    const created = new Date(server.clock.now().getTime() - 90 * DAY_MS + 2 * HOUR_MS);
    const data = { keyType: 'USER_MANAGED', validAfterTime: created.toISOString() };
    await analyst.upload(project, [{ ...serviceAccountKey('k'), resource: { data } }]);
    const old = async () => {
      const scan = await analyst.scan(project);
      const found = await analyst.findings(`scan=${scan.id}&rule=sa-key-older-90d`);
      return found.map(({ delta }) => delta);
    };
    expect(await old()).toEqual([]);
    server.clock.advance({ hours: 1 });
    expect(await old()).toEqual([]);
    server.clock.advance({ hours: 2 });
    expect(await old()).toEqual(['new']);
    expect(await old()).toEqual(['unchanged']);
  });

  it('a scan of an unchanged inventory evaluates again when an interrupted scan saw a finding last', async () => {
    await analyst.upload(project, [bad('a'), bad('b')]);
    const first = await analyst.scan(project, 'gke');
    const { id } = (await analyst.findings(`scan=${first.id}`))[0] ?? { id: '' };
    await rows("UPDATE findings SET last_scan_id = $2, message = 'other' WHERE id = $1", [
      id,
      newId(),
    ]);
    const second = await analyst.scan(project, 'gke');
    expect(second).toMatchObject({
      status: 'completed',
      totals: first.totals,
      delta: { new: 0, unchanged: first.delta.new, reopened: 0, resolved: 0 },
    });
    const messages = (await analyst.findings(`scan=${second.id}`)).map(({ message }) => message);
    expect(messages).not.toContain('other');
    expect(messages).toHaveLength(first.delta.new);
  });

  it('a scan evaluates an inventory again when a finding was deleted meanwhile, and leaves no row in its place', async () => {
    await analyst.upload(project, [bad('a'), bad('b')]);
    const first = await analyst.scan(project, 'gke');
    const { id } = (await analyst.findings(`scan=${first.id}`))[0] ?? { id: '' };
    await rows('DELETE FROM findings WHERE id = $1', [id]);
    const second = await analyst.scan(project, 'gke');
    expect(second).toMatchObject({
      status: 'completed',
      totals: first.totals,
      delta: { new: 1, unchanged: first.delta.new - 1, reopened: 0, resolved: 0 },
    });
    expect(await rows("SELECT id FROM findings WHERE rule_id = ''")).toEqual([]);
  });

  it('a scan that repeats results reopens a finding that was resolved meanwhile', async () => {
    await analyst.upload(project, [bad('a')]);
    const first = await analyst.scan(project, 'gke');
    await rows(
      "UPDATE findings SET status = 'resolved', resolved_at = last_seen_at, resolved_reason = 'fixed'",
    );
    const second = await analyst.scan(project, 'gke');
    expect(second.delta).toMatchObject({ reopened: first.delta.new, unchanged: 0 });
  });

  it('a scan that repeats results keeps a finding open that the rules could not decide', async () => {
    await analyst.upload(project, [bad('a'), bad('b')]);
    await analyst.scan(project, 'gke');
    await analyst.upload(project, [bareCluster('a'), bad('b')]);
    const states = async () => {
      const scan = await analyst.scan(project, 'gke');
      expect(scan.status).toBe('completed');
      const found = await analyst.findings(`project=${project}&rule=${RULE}`);
      return found.map(({ asset, status }) => `${asset.name.at(-1)} ${status}`).toSorted();
    };
    expect(await states()).toEqual(['a open', 'b open']);
    expect(await states()).toEqual(['a open', 'b open']);
    expect(await states()).toEqual(['a open', 'b open']);
  });
});

/** A scan that cannot repeat anything. */
async function evaluatedAnew(profile?: string): Promise<Scan> {
  await rows('UPDATE scan_verdicts SET fingerprints = NULL');
  return analyst.scan(project, profile);
}
