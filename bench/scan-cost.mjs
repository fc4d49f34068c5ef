// What a scan costs in CPU, which other work on the machine changes less than time. Nothing else is asked meanwhile.
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { call, pause } from './client.mjs';
import { writeInventory } from './inventory.mjs';
import { median } from './numbers.mjs';
import { postgresOf } from './postgres.mjs';
import { runApart, treeCpuSeconds } from './processes.mjs';

/** In this order. `again` scans the same inventory, `seen` the same bytes as a new one. */
const STEPS = {
  upload: 'first upload',
  scan: 'first scan: every finding is new',
  again: 'second scan of the inventory',
  reupload: 'upload of the same bytes',
  seen: 'scan of the same bytes',
};

/**
 * @param {import('./rig.mjs').Rig} rig
 * @param {{ assets: number, rounds: number }} options
 * @param {(line: string) => void} say
 * @returns {Promise<import('./report.mjs').Row[]>}
 */
export async function scanCost(rig, { assets, rounds }, say) {
  const file = join(rig.folder, 'inventory.ndjson');
  await writeInventory(file, assets);
  const server = await rig.startServer();
  const postgres = await postgresOf(rig.ownerUrl);
  // Starts the evaluating process and warms up.
  await costsOf({ server, postgres, file, project: 'warm' });
  const costs = [];
  for (let round = 1; round <= rounds; round += 1) {
    costs.push(await costsOf({ server, postgres, file, project: `cost-${round}` }));
    say(`round ${round} of ${rounds}`);
  }
  await postgres.close();
  await server.stop();
  await rm(file);
  return Object.entries(STEPS).map(([step, what]) => {
    const over = (unit) => median(costs.map((cost) => cost[step][unit])).toFixed(2);
    return {
      part: 'scan-cost',
      what: `${what}, over parse: node, Postgres, both; write-ahead log`,
      value: `${over('node')}, ${over('postgres')}, ${over('both')}; ${over('wal')} MB`,
    };
  });
}

/** Of each step: the ratios to parsing, which is measured before and after it. */
async function costsOf({ server, postgres, file, project }) {
  await call(`${server.url}/projects`, { method: 'POST', json: { name: project } });
  const parse = async () => (await runApart('parse-pass.mjs', file)).cpuSeconds;
  const costs = {};
  let before = await parse();
  for (const step of Object.keys(STEPS)) {
    const databaseCost = await postgres.begin();
    const cpuBefore = treeCpuSeconds(server.pid);
    await (step.endsWith('upload') ? upload(server, project, file) : scan(server, project));
    const spent = await databaseCost();
    const cpu = treeCpuSeconds(server.pid) - cpuBefore;
    const after = await parse();
    const yardstick = (before + after) / 2;
    costs[step] = {
      node: cpu / yardstick,
      postgres: spent.cpuSeconds / yardstick,
      both: (cpu + spent.cpuSeconds) / yardstick,
      wal: spent.walBytes / 1e6,
    };
    before = after;
  }
  return costs;
}

async function upload(server, project, file) {
  await call(`${server.url}/projects/${project}/inventory`, {
    method: 'PUT',
    stream: createReadStream(file),
    type: 'application/x-ndjson',
  });
}

async function scan(server, project) {
  const json = { projects: [project], profile: 'full' };
  let { id, finishedAt, status } = await call(`${server.url}/scans`, { method: 'POST', json });
  while (finishedAt === null) {
    await pause(100);
    ({ finishedAt, status } = await call(`${server.url}/scans/${id}`));
  }
  if (status !== 'completed') throw new Error(`The scan ended as ${status}`);
}
