import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { cluster } from '../../../tests/kit/export-records.ts';
import { waitingFor } from '../../../tests/kit/owner-queries.ts';
import { plantFindings } from '../../../tests/kit/planted-findings.ts';
import { cutSmall } from '../../../tests/kit/small-chunks.ts';
import { testPool } from '../../../tests/kit/test-pool.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { type Statement, TenantDatabase } from '../../platform/database/tenant-database.ts';
import { newId } from '../../platform/ids.ts';
import { claimChunks, Ended, type HeldSlot, takeSlot } from './leases.ts';
import { begin } from './scan-begin.ts';
import { cancelScan, complete } from './scan-end.ts';
import { shareWriting } from './scan-lock.ts';
import { advance } from './scan-progress.ts';
import { VerdictCounts } from './verdict-counts.ts';

let server: TestServer;
let analyst: Analyst;
/** With the rights of a worker. */
let workers: pg.Pool;
let tenants: TenantDatabase;

beforeAll(async () => {
  server = await startTestServer();
  analyst = await Analyst.at(server);
  workers = testPool(server.database.workerUrl, { maxConnections: 8 });
  tenants = new TenantDatabase(workers);
});

afterAll(async () => {
  await workers.end();
  await server.close();
});

const CHUNKS = 10;

/** A running scan of ten chunks, none of them claimed, with slots that are held. */
async function runningScan(slots: number): Promise<readonly HeldSlot[]> {
  const records = Array.from({ length: CHUNKS }, (_, index) => cluster(`c${index}`));
  const project = await analyst.project(records);
  await cutSmall(server.services.tenants, analyst, project, 1);
  const scanId = await analyst.launch(project, 'gke');
  const { id: projectId } = await analyst.ask(200, `/projects/${project}`);
  const { tenantId } = analyst;
  const held = Array.from({ length: slots }, (_, slot) => ({
    tenantId,
    scanId,
    projectId,
    slot,
    leaseToken: newId(),
  }));
  for (const slot of held) {
    expect(await tenants.write(tenantId, (db) => takeSlot(db, slot))).toBe(true);
    await tenants.write(tenantId, (db) => begin(db, slot, server.clock.now()));
  }
  return held;
}

const REFER: Statement = {
  name: 'refer-to-scan',
  reason: 'lock',
  text: 'SELECT 1 FROM scan_projects WHERE tenant_id = $1 AND scan_id = $2 FOR KEY SHARE',
};

const ADVANCE: Statement = {
  name: 'advance-scan',
  reason: 'hot path',
  text: 'UPDATE scan_projects SET evaluations = evaluations + 1 WHERE tenant_id = $1 AND scan_id = $2',
};

/**
 * Starts these transactions one after the other while a step of the scan is written and another one, which ends after
 * all of them, has stored verdicts that refer to the scan.
 */
async function duringStep(
  [{ tenantId, scanId }]: readonly [HeldSlot, ...HeldSlot[]],
  starts: readonly (() => Promise<unknown>)[],
): Promise<PromiseSettledResult<unknown>[]> {
  return tenants.write(tenantId, async (referring) => {
    await referring.sql(REFER, [tenantId, scanId]);
    const waiting: Promise<PromiseSettledResult<unknown>[]>[] = [];
    await tenants.write(tenantId, async (advancing) => {
      await advancing.sql(ADVANCE, [tenantId, scanId]);
      for (const start of starts) {
        waiting.push(Promise.allSettled([start()]));
        await until('the transaction to wait for the step', async () => {
          const waiters = await waitingFor(server.database, 'true');
          return waiters.length === waiting.length;
        });
      }
    });
    return (await Promise.all(waiting)).flat();
  });
}

it('workers that claim chunks of a scan while a step of it is written claim different chunks and do not deadlock', async () => {
  const held = await runningScan(3);
  const [first, ...others] = held;
  if (first === undefined) throw new Error('no slot');
  const claims = held.map(
    (slot) => () => tenants.read(slot.tenantId, (db) => claimChunks(db, slot, 4)),
  );
  const results = await duringStep([first, ...others], claims);
  const claimed = results.map((result) => (result.status === 'fulfilled' ? result.value : result));
  // Those that waited for the first one may come in any order.
  expect(new Set(claimed)).toEqual(
    new Set([
      { fromSeq: 0, toSeq: 4 },
      { fromSeq: 4, toSeq: 8 },
      { fromSeq: 8, toSeq: CHUNKS },
    ]),
  );
  expect(await tenants.read(first.tenantId, (db) => claimChunks(db, first, 4))).toBeNull();
});

it('a cancellation and a worker that joins the scan while a step of it is written do not deadlock', async () => {
  const [first] = await runningScan(1);
  if (first === undefined) throw new Error('no slot');
  const now = server.clock.now();
  const results = await duringStep(
    [first],
    [
      () =>
        server.services.tenants.write(first.tenantId, (db) => cancelScan(db, first.scanId, now)),
      () => tenants.write(first.tenantId, (db) => begin(db, first, now)),
    ],
  );
  expect(results).toEqual([
    { status: 'fulfilled', value: true },
    { status: 'rejected', reason: expect.any(Ended) },
  ]);
  expect((await analyst.seen(first.scanId)).status).toBe('cancelled');
});

const SEE_FINDINGS: Statement = {
  name: 'see-findings',
  reason: 'hot path',
  text: 'UPDATE findings SET last_seen_at = now() WHERE tenant_id = $1 AND project_id = $2',
};

const NOTHING = { chunks: 0, assets: 0, verdictCounts: new VerdictCounts(), recorded: [] };

it('the deletion of a project and a scan that begins while the deletion waits for an earlier one do not deadlock', async () => {
  const [earlier] = await runningScan(1);
  if (earlier === undefined) throw new Error('no slot');
  const { tenantId, projectId } = earlier;
  await plantFindings(server.database, tenantId, projectId, [{}]);
  const name = (await analyst.seen(earlier.scanId)).projects[0]?.name ?? '';
  const now = server.clock.now();
  const deletionWaits = () =>
    until('the deletion to wait', async () => {
      const waiters = await waitingFor(server.database, 'true');
      return waiters.length === 1;
    });
  const deletion = await tenants.write(tenantId, async (step) => {
    const deleting = await tenants.write(tenantId, async (late) => {
      // The step of a worker that does not know yet that the scan has ended.
      await shareWriting(late, earlier);
      const reply = analyst.call(`/projects/${name}`, { method: 'DELETE' });
      await deletionWaits();
      await tenants.write(tenantId, (db) => complete(db, earlier, 0, now));
      const scanId = await analyst.launch(name, 'gke');
      const slot = { ...earlier, scanId, leaseToken: newId() };
      await tenants.write(tenantId, (db) => takeSlot(db, slot));
      await tenants.write(tenantId, (db) => begin(db, slot, now));
      await shareWriting(step, slot);
      await step.sql(SEE_FINDINGS, [tenantId, projectId]);
      return { reply, slot };
    });
    await deletionWaits();
    await advance(step, deleting.slot, NOTHING);
    return deleting;
  });
  expect((await deletion.reply).status).toBe(204);
  expect((await analyst.seen(deletion.slot.scanId)).status).toBe('cancelled');
});
