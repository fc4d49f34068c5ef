import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EvaluatorPool } from '../custom-rules/evaluator-pool.ts';
import { createPool } from '../database/pool.ts';
import { startWorker } from '../jobs/start-worker.ts';
import { createLogger } from '../operations/logger.ts';
import { Analyst, type Scan } from '../testing/analyst.ts';
import { rowsOf } from '../testing/behind-the-scenes.ts';
import { cluster } from '../testing/export-records.ts';
import { type Fate, Killed, MortalDatabase } from '../testing/mortal-database.ts';
import { cutSmall } from '../testing/small-chunks.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { until } from '../testing/until.ts';
import { scanProject } from './scan-project.ts';
import { Displaced, type ScanSlot } from './slots.ts';

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
/** So that there are thirty chunks: eight steps, and enough for two workers more. */
const ASSETS_A_CHUNK = 7;

/** Puts an inventory in force of which every so-manieth cluster is at fault. */
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

/** All that came of a scan, but for what names its project and its moment. */
async function outcomeOf({ id, ...scan }: Scan) {
  const found = await analyst.findings(`scan=${id}`);
  return {
    status: scan.status,
    projects: scan.projects.map(({ name: _, ...rest }) => rest),
    totals: scan.totals,
    delta: scan.delta,
    coverage: scan.coverage,
    rules: await analyst.ruleCounts(id),
    findings: found
      .map(({ ruleId, asset, status, delta }) => `${ruleId} ${asset.name} ${status} ${delta}`)
      .toSorted(),
  };
}

/** Numbers that look random and are the same each time (a linear congruential generator, as in ANSI C). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

describe('a scan at which several work', () => {
  const pool = () =>
    createPool({
      url: server.database.workerUrl,
      name: 'cspm worker',
      maxConnections: 24,
      statementTimeoutMs: 60_000,
      onError: () => undefined,
    });

  /** What a worker makes of the job of a slot. */
  async function attempt(
    slot: ScanSlot,
    fate: Fate | null,
    connections: ReturnType<typeof createPool>,
  ): Promise<'done' | 'killed' | 'displaced'> {
    const tenants = new MortalDatabase(connections, fate);
    try {
      await scanProject({ tenants, clock: server.clock, evaluators: new EvaluatorPool() }, slot, {
        isStopping: () => false,
      });
      return 'done';
    } catch (error) {
      if (error instanceof Killed) return 'killed';
      if (error instanceof Displaced) return 'displaced';
      throw error;
    }
  }

  /** Has the job of a slot done, by as many workers as it takes: most of them die of it, some only seem to. */
  async function workOff(
    slot: ScanSlot,
    random: (below: number) => number,
    connections: ReturnType<typeof createPool>,
  ): Promise<string[]> {
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
        const sleeper = attempt(slot, { at, how, woken }, connections);
        // Another has the job by then, and may have done it.
        ends.push(await attempt(slot, next, connections));
        wake?.();
        ends.push(await sleeper);
        continue;
      }
      const end = await attempt(slot, { at, how }, connections);
      ends.push(end);
      if (end === 'done') return ends;
    }
    ends.push(await attempt(slot, null, connections));
    return ends;
  }

  it('of whom each dies at any moment, or seems to, ends like one that was left alone', async () => {
    const connections = pool();
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
    const undisturbed = (slot: ScanSlot) => attempt(slot, null, connections);
    await upload(left, 3);
    const first = await scanOf(left, undisturbed);
    expect(first).toMatchObject({ status: 'completed', delta: { new: 70 } });
    await upload(left, 7);
    const second = await scanOf(left, undisturbed);
    expect(second).toMatchObject({ delta: { new: 20, resolved: 60, unchanged: 10 } });

    const ends: string[] = [];
    for (let seed = 1; seed <= 6; seed += 1) {
      const random = randomFrom(seed);
      const disturbed = async (slot: ScanSlot) =>
        ends.push(...(await workOff(slot, random, connections)));
      const project = await analyst.project();
      await upload(project, 3);
      expect(await scanOf(project, disturbed), `seed ${seed}, first scan`).toEqual(first);
      await upload(project, 7);
      expect(await scanOf(project, disturbed), `seed ${seed}, second scan`).toEqual(second);
      const open = await analyst.findings(`project=${project}&status=open`);
      expect(open).toHaveLength(30);
      expect(new Set(open.map(({ fingerprint }) => fingerprint)).size).toBe(30);
    }
    expect(new Set(ends)).toEqual(new Set(['done', 'killed', 'displaced']));
    expect(await rows('SELECT * FROM scan_slots')).toEqual([]);
    expect(await rows('SELECT * FROM scan_claims')).toEqual([]);
    await connections.end();
  }, 60_000);
});

/** As many worker processes as that, as far as the queue can tell; and what is done while they are there. */
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

/**
 * Holds all scans of the tenant up for a while: findings point to their project, and as long as its row is held, no step
 * is written.
 */
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

describe('workers', () => {
  it('share a large scan, each at a slot of its own; no process takes two', async () => {
    const project = await analyst.project();
    await upload(project, 3);
    await withWorkers(2, async () => {
      let scanId = '';
      await heldUp(async () => {
        scanId = await analyst.launch(project, 'gke');
        await until('two slots at work', async () => (await slotsAtWork()).length === 2);
        // A third slot is to be had, and both processes have a place free for it; but each is at this scan already.
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

  it('are not called to a small one', async () => {
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

  it('many of them, run the scans of one project one after the other, in the order of their launch', async () => {
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

  it('that are stopped leave the rest to others at once, with nothing lost', async () => {
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

describe('assets of one name', () => {
  it('have one finding where one rule looks at both, though different steps come by them', async () => {
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
      const second = await analyst.scan(project, 'public-exposure');
      expect(second.delta).toEqual({ new: 0, unchanged: 1, reopened: 0, resolved: 0 });
    });
  });
});
