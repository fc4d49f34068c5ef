// Whether time grows in proportion to the assets, memory does not, and another tenant notices little: one inventory, and
// another with ten times as many assets.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { call, pause } from './client.mjs';
import { writeInventory } from './inventory.mjs';
import { giveKey, keyOf } from './keys.mjs';
import { quantile } from './numbers.mjs';
import { postgresOf } from './postgres.mjs';
import { runApart, treeCpuSeconds, watchMemory } from './processes.mjs';
import { asker } from './scale/ask.mjs';
import { scanOf, uploadTo } from './scan-cost.mjs';

const TIMES_AS_MANY = 10;
/** Assets of the other tenant. */
const FEW_ASSETS = 5_000;
const AT_REST_MS = 15_000;
const PAUSE_MS = 20;
const ASKED = '/findings?limit=25';

const STEPS = {
  upload: 'upload',
  scan: 'first scan',
  again: 'second scan of the inventory',
};

/**
 * @param {import('./rig.mjs').Rig} rig
 * @param {{ assets: number }} options the larger inventory; the smaller one has a tenth of it
 * @param {(line: string) => void} say
 * @returns {Promise<import('./report.mjs').Row[]>}
 */
export async function growthRace(rig, { assets }, say) {
  const server = await rig.startServer();
  const neighbour = { url: server.url, apiKey: await anotherTenant(rig.ownerUrl) };
  const few = await inventoryOf(rig, FEW_ASSETS);
  await createProject(neighbour, 'neighbour');
  await uploadTo(neighbour, 'neighbour', few.file);
  await scanOf(neighbour, 'neighbour', 100);
  await rm(few.file);

  const postgres = await postgresOf(rig.ownerUrl);
  try {
    const rest = await timesDuring(neighbour, () => pause(AT_REST_MS));
    const results = [];
    for (const count of [Math.ceil(assets / TIMES_AS_MANY), assets]) {
      const { file } = await inventoryOf(rig, count);
      const parse = await runApart('parse-pass.mjs', file);
      const project = `growth-${count}`;
      await createProject({ url: server.url }, project);
      const measure = (work) => measured({ server, postgres, neighbour }, work);
      const steps = {
        upload: await measure(() => uploadTo(server, project, file)),
        scan: await measure(() => scanOf(server, project, 100)),
        again: await measure(() => scanOf(server, project, 100)),
      };
      await rm(file);
      results.push({ count, parse, steps });
      const seconds = Object.entries(steps).map(([step, s]) => `${step} ${s.seconds.toFixed(1)} s`);
      say(`${count} assets: parse ${parse.seconds.toFixed(1)} s, ${seconds.join(', ')}`);
    }
    return rowsOf(results, rest);
  } finally {
    await postgres.close();
    await server.stop();
  }
}

async function inventoryOf(rig, count) {
  const file = join(rig.folder, `growth-${count}.ndjson`);
  await writeInventory(file, count);
  return { file };
}

async function createProject({ url, apiKey }, name) {
  await call(`${url}/projects`, { method: 'POST', json: { name }, apiKey });
}

/** Creates a tenant besides the first. @returns its key */
async function anotherTenant(ownerUrl) {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const { rows } = await client.query(
    `INSERT INTO identity.tenants (id, name, features, created_at)
     VALUES (gen_random_uuid(), 'neighbour', '{}', now()) RETURNING id`,
  );
  await giveKey(client, rows[0].id, 'neighbour');
  await client.end();
  return keyOf('neighbour');
}

/** Time, CPU and peak memory of a step, and how long the other tenant's requests took meanwhile. */
async function measured({ server, postgres, neighbour }, work) {
  const memory = watchMemory(server.pid);
  const databaseCost = await postgres.begin();
  const cpuBefore = treeCpuSeconds(server.pid);
  const startedAt = performance.now();
  let seconds = 0;
  const asked = await timesDuring(neighbour, async () => {
    await work();
    seconds = (performance.now() - startedAt) / 1000;
  });
  const node = treeCpuSeconds(server.pid) - cpuBefore;
  const spent = await databaseCost();
  return { seconds, node, postgres: spent.cpuSeconds, peakBytes: memory.stop(), asked };
}

/** Sends sequential requests of the other tenant until some work is done. @returns {Promise<number[]>} ms of each */
async function timesDuring({ url, apiKey }, work) {
  const client = asker(url, apiKey);
  const times = [];
  let done = false;
  const asking = (async () => {
    while (!done) {
      times.push((await client.ask(ASKED)).ms);
      await pause(PAUSE_MS);
    }
  })();
  try {
    await work();
  } finally {
    done = true;
    await asking;
    client.close();
  }
  return times;
}

function rowsOf([small, large], rest) {
  const calm = quantile(rest, 0.99);
  const row = (what, value, goal, met) => ({ part: 'growth', what, value, goal, met });
  const growthOf = (of) => of(large) / large.count / (of(small) / small.count);
  const rows = [
    row(
      `parse ${small.count} and ${large.count} assets; time for each asset, large over small`,
      `${small.parse.seconds.toFixed(2)}, ${large.parse.seconds.toFixed(2)} s; ${growthOf((r) => r.parse.seconds).toFixed(2)}`,
    ),
    row(`GET ${ASKED} of another tenant at rest: median, p99`, medianAndP99(rest)),
  ];
  for (const [step, what] of Object.entries(STEPS)) {
    const over = (unit) =>
      [small, large].map((r) => (r.steps[step][unit] / r.parse.seconds).toFixed(2)).join(', ');
    const growth = growthOf((r) => r.steps[step].seconds);
    const peaks = [small, large].map((r) => r.steps[step].peakBytes / 2 ** 20);
    const p99 = quantile(large.steps[step].asked, 0.99) / calm;
    rows.push(
      row(
        `${what}: time for each asset, large over small`,
        growth.toFixed(2),
        'at most 1.15',
        growth <= 1.15,
      ),
      row(`${what}: time over that of parsing, small and large`, over('seconds')),
      row(`${what}: CPU of node over the time of parsing`, over('node')),
      row(`${what}: CPU of Postgres over the time of parsing`, over('postgres')),
      row(
        `${what}: peak memory, small and large`,
        `${peaks.map((mb) => mb.toFixed(0)).join(', ')} MB`,
      ),
      row(
        `${what}: GET ${ASKED} of another tenant, large: median, p99`,
        medianAndP99(large.steps[step].asked),
      ),
      row(`${what}: that p99 over the one at rest`, p99.toFixed(1), 'at most 2', p99 <= 2),
    );
  }
  return rows;
}

function medianAndP99(times) {
  return `${quantile(times, 0.5).toFixed(1)}, ${quantile(times, 0.99).toFixed(1)} ms`;
}
