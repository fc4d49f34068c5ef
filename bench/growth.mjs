// Whether time grows in proportion to the assets, memory does not, and another tenant notices little: one inventory, another
// with ten times as many assets, and the first again for ten projects. The peak memory of a process rises with the time
// that it works, so that of the large inventory is compared with that of as many assets in small ones.
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
/** The other tenant. */
const NEIGHBOUR = 'neighbour';
const ASSETS_OF_NEIGHBOUR = 5_000;
/** What the peak of a large inventory may be over that of as many assets in small ones. */
const MEMORY_AT_MOST = 1.15;
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
  const few = await inventoryOf(rig, ASSETS_OF_NEIGHBOUR);
  const small = await inventoryOf(rig, Math.ceil(assets / TIMES_AS_MANY));
  const rest = await withServer(rig, async ({ neighbour }) => {
    await createNeighbour(rig.ownerUrl);
    await createProject(neighbour, 'few');
    await scanAgain(neighbour, few);
    return timesDuring(neighbour, () => pause(AT_REST_MS));
  });
  const run = (inventory, projects) =>
    withServer(rig, async (running) => {
      await scanAgain(running.neighbour, few);
      return growthOf(running, inventory, projects, say);
    });
  const once = await run(small, ['small']);
  const large = await inventoryOf(rig, assets);
  const atOnce = await run(large, ['large']);
  await rm(large.file);
  const names = Array.from({ length: TIMES_AS_MANY }, (_, at) => `small-${at + 1}`);
  const oneByOne = await run(small, names);
  await rm(small.file);
  await rm(few.file);
  return rowsOf({ once, atOnce, oneByOne }, rest);
}

/** Runs work with a server that has just started, so that its memory is that of this work. */
async function withServer(rig, work) {
  const server = await rig.startServer();
  const postgres = await postgresOf(rig.ownerUrl);
  try {
    return await work({
      server,
      postgres,
      neighbour: { url: server.url, apiKey: keyOf(NEIGHBOUR) },
    });
  } finally {
    await postgres.close();
    await server.stop();
  }
}

/** Uploads and scans the inventory of the other tenant, also so that V8 has compiled what the measured steps use. */
async function scanAgain(neighbour, { file }) {
  await uploadTo(neighbour, 'few', file);
  await scanOf(neighbour, 'few', 100);
}

/** Uploads an inventory to each of the projects and scans it twice. Time is that of the first project, memory the peak of all. */
async function growthOf(running, { file, count }, projects, say) {
  const { server } = running;
  const parse = await runApart('parse-pass.mjs', file);
  for (const project of projects) await createProject({ url: server.url }, project);
  const each = async (work) => {
    const all = [];
    for (const project of projects) all.push(await measured(running, () => work(project)));
    return { ...all[0], peakBytes: Math.max(...all.map(({ peakBytes }) => peakBytes)) };
  };
  const steps = {
    upload: await each((project) => uploadTo(server, project, file)),
    scan: await each((project) => scanOf(server, project, 100)),
    again: await each((project) => scanOf(server, project, 100)),
  };
  const seconds = Object.entries(steps).map(([step, s]) => `${step} ${s.seconds.toFixed(1)} s`);
  say(
    `${projects.length} × ${count} assets: parse ${parse.seconds.toFixed(1)} s, ${seconds.join(', ')}`,
  );
  return { count, parse, steps };
}

async function inventoryOf(rig, count) {
  const file = join(rig.folder, `growth-${count}.ndjson`);
  await writeInventory(file, count);
  return { file, count };
}

async function createProject({ url, apiKey }, name) {
  await call(`${url}/projects`, { method: 'POST', json: { name }, apiKey });
}

async function createNeighbour(ownerUrl) {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query(
      `INSERT INTO identity.tenants (id, name, features, created_at)
       VALUES (gen_random_uuid(), $1, '{}', now()) RETURNING id`,
      [NEIGHBOUR],
    );
    await giveKey(client, rows[0].id, NEIGHBOUR);
  } finally {
    await client.end();
  }
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

function rowsOf({ once: small, atOnce: large, oneByOne }, rest) {
  const calm = quantile(rest, 0.99);
  const row = (what, value, goal, met) => ({ part: 'growth', what, value, goal, met });
  const growth = (of) => of(large) / large.count / (of(small) / small.count);
  const rows = [
    row(
      `parse ${small.count} and ${large.count} assets; time for each asset, large over small`,
      `${small.parse.seconds.toFixed(2)}, ${large.parse.seconds.toFixed(2)} s; ${growth((r) => r.parse.seconds).toFixed(2)}`,
    ),
    row(`GET ${ASKED} of another tenant at rest: median, p99`, medianAndP99(rest)),
  ];
  for (const [step, what] of Object.entries(STEPS)) {
    const over = (unit) =>
      [small, large].map((r) => (r.steps[step][unit] / r.parse.seconds).toFixed(2)).join(', ');
    const time = growth((r) => r.steps[step].seconds);
    const peaks = [small, oneByOne, large].map((r) => r.steps[step].peakBytes / 2 ** 20);
    const memory = peaks[2] / peaks[1];
    const p99 = quantile(large.steps[step].asked, 0.99) / calm;
    rows.push(
      row(
        `${what}: time for each asset, large over small`,
        time.toFixed(2),
        'at most 1.15',
        time <= 1.15,
      ),
      row(`${what}: time over that of parsing, small and large`, over('seconds')),
      row(`${what}: CPU of node over the time of parsing`, over('node')),
      row(`${what}: CPU of Postgres over the time of parsing`, over('postgres')),
      row(
        `${what}: peak memory, a small one, ten small ones in turn, the large one`,
        `${peaks.map((mb) => mb.toFixed(0)).join(', ')} MB`,
      ),
      row(
        `${what}: peak memory, the large one over ten small ones`,
        memory.toFixed(2),
        `at most ${MEMORY_AT_MOST}`,
        memory <= MEMORY_AT_MOST,
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
