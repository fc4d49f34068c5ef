import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst, type Scan } from '../../../tests/kit/analyst.ts';
import { type Fate, Killed, MortalDatabase } from '../../../tests/kit/crash-injecting-database.ts';
import { cluster } from '../../../tests/kit/export-records.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { cutSmall } from '../../../tests/kit/small-chunks.ts';
import { testPool } from '../../../tests/kit/test-pool.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { createLogger } from '../../platform/logger.ts';
import { startWorker } from '../../start/start-worker.ts';
import { EvaluationPool } from './evaluation-pool.ts';
import { LeaseLost, type ScanSlot } from './leases.ts';
import { scanProject } from './scan-project.ts';

let server: TestServer;
let analyst: Analyst;

beforeAll(async () => {
  server = await startTestServer();
});

beforeEach(async () => {
  analyst = await Analyst.at(server);
});

afterAll(() => server.close());

const ASSETS = 210;
/** Gives thirty chunks: eight steps, enough for two additional workers. */
const ASSETS_A_CHUNK = 7;

/** Uploads an inventory in which every n-th cluster has a fault. */
async function upload(project: string, everyAtFault: number): Promise<void> {
  const records = Array.from({ length: ASSETS }, (_, index) =>
    cluster(`c${index}`, { legacyAbac: index % everyAtFault === 0 }),
  );
  await analyst.upload(project, records);
  await cutSmall(server.services.tenants, analyst, project, ASSETS_A_CHUNK);
}

function rows(sql: string, values: readonly unknown[] = []) {
  return rowsOf(server.database, analyst.tenantId, sql, values);
}

/** All results of a scan, without project names and times. */
async function outcomeOf({ id, ...scan }: Scan) {
  const found = await analyst.findings(`scan=${id}`);
  return {
    status: scan.status,
    projects: scan.projects.map(({ name: _, inventoryId: __, ...rest }) => rest),
    totals: scan.totals,
    delta: scan.delta,
    coverage: scan.coverage,
    rules: await analyst.ruleCounts(id),
    findings: found
      .map(({ ruleId, asset, status, delta }) => `${ruleId} ${asset.name} ${status} ${delta}`)
      .toSorted(),
  };
}

/** Reproducible pseudo-random numbers (a linear congruential generator, as in ANSI C). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

describe('a scan shared by several workers', () => {
  const evaluations = new EvaluationPool();
  let connections: pg.Pool;

  beforeAll(() => {
    connections = testPool(server.database.workerUrl, { maxConnections: 24 });
  });

  afterAll(async () => {
    await evaluations.close();
    await connections.end();
  });

  /** Runs the job of a slot and reports how the worker ended. */
  async function attempt(
    slot: ScanSlot,
    fate: Fate | null,
  ): Promise<'done' | 'killed' | 'lease lost'> {
    const tenants = new MortalDatabase(connections, fate);
    try {
      await scanProject({ tenants, clock: server.clock, evaluations }, slot, {
        isStopping: () => false,
      });
      return 'done';
    } catch (error) {
      if (error instanceof Killed) return 'killed';
      if (error instanceof LeaseLost) return 'lease lost';
      throw error;
    }
  }

  /** Runs the job of a slot with as many workers as necessary. Most of them are killed; some are only presumed dead. */
  async function workOff(slot: ScanSlot, random: (below: number) => number): Promise<string[]> {
    const ends: string[] = [];
    for (let deaths = 0; deaths < 6; deaths += 1) {
      const how = (['before', 'within', 'after', 'asleep'] as const)[random(4)] ?? 'before';
      const at = 1 + random(18);
      const next = { at: 1 + random(18), how: 'within' as const };
      if (how === 'asleep') {
        let wake: (() => void) | undefined;
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const sleeper = attempt(slot, { at, how, woken });
        // Another worker has the job by then and may have finished it.
        ends.push(await attempt(slot, next));
        wake?.();
        ends.push(await sleeper);
        continue;
      }
      const end = await attempt(slot, { at, how });
      ends.push(end);
      if (end === 'done') return ends;
    }
    ends.push(await attempt(slot, null));
    return ends;
  }

  it('a scan shared by several workers ends with the same result when its workers die at any moment', async () => {
    const scanOf = async (name: string, run: (slot: ScanSlot) => Promise<unknown>) => {
      const scanId = await analyst.launch(name, 'gke');
      const { id: projectId } = await analyst.ask(200, `/projects/${name}`);
      const slots = [0, 1, 2].map((slot) => ({
        tenantId: analyst.tenantId,
        scanId,
        projectId,
        slot,
      }));
      const [first] = slots;
      if (first === undefined) throw new Error('no slot');
      const begun = run(first);
      await until('a beginning', async () => (await analyst.seen(scanId)).status !== 'queued');
      await Promise.all([begun, ...slots.slice(1).map(run)]);
      return outcomeOf(await analyst.seen(scanId));
    };
    const left = await analyst.project();
    const undisturbed = (slot: ScanSlot) => attempt(slot, null);
    await upload(left, 3);
    const first = await scanOf(left, undisturbed);
    expect(first).toMatchObject({ status: 'completed', delta: { new: 70 } });
    await upload(left, 7);
    const second = await scanOf(left, undisturbed);
    expect(second).toMatchObject({ delta: { new: 20, resolved: 60, unchanged: 10 } });

    const ends: string[] = [];
    for (let seed = 1; seed <= 6; seed += 1) {
      const random = randomFrom(seed);
      const disturbed = async (slot: ScanSlot) => ends.push(...(await workOff(slot, random)));
      const project = await analyst.project();
      await upload(project, 3);
      expect(await scanOf(project, disturbed), `seed ${seed}, first scan`).toEqual(first);
      await upload(project, 7);
      expect(await scanOf(project, disturbed), `seed ${seed}, second scan`).toEqual(second);
      const open = await analyst.findings(`project=${project}&status=open`);
      expect(open).toHaveLength(30);
      expect(new Set(open.map(({ fingerprint }) => fingerprint)).size).toBe(30);
    }
    expect(new Set(ends)).toEqual(new Set(['done', 'killed', 'lease lost']));
    expect(await rows('SELECT * FROM scan_slots')).toEqual([]);
    expect(await rows('SELECT * FROM scan_claims')).toEqual([]);
  }, 240_000);
});

/** Registers this many worker processes in the queue while `during` runs. */
async function withWorkers<T>(count: number, during: () => Promise<T>): Promise<T> {
  const workers = await Promise.all(
    Array.from({ length: count }, () =>
      startWorker({
        databaseUrl: server.database.workerUrl,
        log: createLogger('silent'),
        clock: server.clock,
      }),
    ),
  );
  return during().finally(() => Promise.all(workers.map((worker) => worker.stop())));
}

/** Stops all scans of the tenant while `during` runs: writing a finding locks its project's row, which is held here. */
async function heldUp(during: () => Promise<void>): Promise<void> {
  const { owner } = server.database;
  await owner.query('BEGIN');
  await rows('SELECT 1 FROM projects FOR UPDATE');
  await during().finally(() => owner.query('ROLLBACK'));
}

interface SlotAtWork {
  readonly slot: number;
  readonly claims: number;
}

async function slotsAtWork(): Promise<SlotAtWork[]> {
  const found = await rows(
    'SELECT slot, count(*)::int AS claims FROM scan_claims GROUP BY slot ORDER BY slot',
  );
  return found.map(({ slot, claims }) => ({ slot: Number(slot), claims: Number(claims) }));
}

describe('several workers', () => {
  it('several workers share a large scan with one slot per process', async () => {
    const project = await analyst.project();
    await upload(project, 3);
    await withWorkers(2, async () => {
      let scanId = '';
      await heldUp(async () => {
        scanId = await analyst.launch(project, 'gke');
        await until('two slots at work', async () => (await slotsAtWork()).length === 2);
        // A third slot is available and both processes have capacity for it, but each already works on this scan.
        await until('the third job to be left alone', async () => {
          const { rows: jobs } = await server.database.owner.query(
            'SELECT locked_by FROM graphile_worker._private_jobs',
          );
          const taken = jobs.filter(({ locked_by: by }) => by !== null);
          return jobs.length === 3 && taken.length === 2;
        });
        await until(
          'each slot to have taken on more than the step that it cannot write',
          async () => (await slotsAtWork()).every(({ claims }) => claims > 1),
        );
      });
      expect(await analyst.finished(scanId)).toMatchObject({
        status: 'completed',
        totals: { assets: ASSETS, fail: 70 },
        delta: { new: 70 },
      });
    });
  });

  it('several workers share a large scan of an unchanged inventory when its results cannot be repeated', async () => {
    const project = await analyst.project();
    await upload(project, 3);
    await withWorkers(2, async () => {
      await analyst.scan(project, 'gke');
      await rows("UPDATE scan_verdicts SET evaluated_by = 'another build'");
      let scanId = '';
      await heldUp(async () => {
        scanId = await analyst.launch(project, 'gke');
        await until('two slots at work', async () => (await slotsAtWork()).length === 2);
      });
      expect(await analyst.finished(scanId)).toMatchObject({
        status: 'completed',
        delta: { new: 0, unchanged: 70 },
      });
    });
  });

  it('several workers do not share a small scan', async () => {
    const project = await analyst.project([cluster('a', { legacyAbac: true })]);
    await withWorkers(1, async () => {
      let scanId = '';
      await heldUp(async () => {
        scanId = await analyst.launch(project, 'gke');
        await until('a slot at work', async () => (await slotsAtWork()).length === 1);
        const { rows: jobs } = await server.database.owner.query(
          'SELECT 1 FROM graphile_worker._private_jobs',
        );
        expect(jobs).toHaveLength(1);
      });
      await analyst.finished(scanId);
    });
  });

  it('several workers run the scans of one project one after the other, in the order of their launch', async () => {
    const project = await analyst.project();
    await upload(project, 3);
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) ids.push(await analyst.launch(project, 'gke'));
    const scans = await withWorkers(3, () => Promise.all(ids.map((id) => analyst.finished(id))));
    expect(scans.map(({ delta }) => [delta.new, delta.unchanged])).toEqual([
      [70, 0],
      [0, 70],
      [0, 70],
      [0, 70],
    ]);
    scans.slice(1).forEach((scan, index) => {
      expect(`${scan.startedAt}` >= `${scans[index]?.finishedAt}`).toBe(true);
    });
  });

  it('a stopping worker leaves the rest of a shared scan to others immediately, without losing work', async () => {
    const project = await analyst.project();
    await upload(project, 3);
    const scanId = await analyst.launch(project, 'gke');
    const stopped = withWorkers(1, async () => {
      await until('some progress', async () => (await analyst.seen(scanId)).totals.assets > 0);
    });
    await stopped;
    const seen = await analyst.seen(scanId);
    expect(['running', 'completed']).toContain(seen.status);
    const scan = await withWorkers(1, () => analyst.finished(scanId));
    expect(scan).toMatchObject({ status: 'completed', totals: { assets: ASSETS, fail: 70 } });
    expect(await analyst.findings(`scan=${scanId}`)).toHaveLength(70);
  });
});

describe('assets with the same name', () => {
  it('assets with the same name have one finding when one rule evaluates both in different steps', async () => {
    const name = '//cloudresourcemanager.googleapis.com/projects/1';
    const iam_policy = { bindings: [{ role: 'roles/viewer', members: ['allUsers'] }] };
    const project = await analyst.project([
      ...Array.from({ length: 40 }, (_, index) => cluster(`c${index}`)),
      { name, asset_type: 'cloudresourcemanager.googleapis.com/Project', iam_policy },
      { name, asset_type: 'cloudresourcemanager.googleapis.com/Folder', iam_policy },
    ]);
    await cutSmall(server.services.tenants, analyst, project, 1);
    await withWorkers(1, async () => {
      const first = await analyst.scan(project, 'public-exposure');
      expect(first.delta).toEqual({ new: 1, unchanged: 0, reopened: 0, resolved: 0 });
      const { open } = await analyst.ask(200, '/posture/summary');
      expect(Object.values(open).toSorted()).toEqual([0, 0, 0, 0, 1]);
      const second = await analyst.scan(project, 'public-exposure');
      expect(second.delta).toEqual({ new: 0, unchanged: 1, reopened: 0, resolved: 0 });
    });
  });
});
