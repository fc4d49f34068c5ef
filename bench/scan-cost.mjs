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
    await (step.endsWith('upload')
      ? uploadTo(server, project, file)
      : scanOf(server, project, 100));
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

/**
 * Uploads a file as the inventory of a project, and waits for the answer.
 * @param {{ url: string, apiKey?: string }} server
 */
export async function uploadTo({ url, apiKey }, project, file) {
  await call(`${url}/projects/${project}/inventory`, {
    method: 'PUT',
    stream: createReadStream(file),
    type: 'application/x-ndjson',
    apiKey,
  });
  return null;
}

/**
 * From the launch to the first response that reports the scan as complete, asked for every so many milliseconds.
 * @param {{ url: string, apiKey?: string }} server
 */
export async function scanOf({ url, apiKey }, project, everyMs) {
  const json = { projects: [project], profile: 'full' };
  let scan = await call(`${url}/scans`, { method: 'POST', json, apiKey });
  while (scan.finishedAt === null) {
    await pause(everyMs);
    scan = await call(`${url}/scans/${scan.id}`, { apiKey });
  }
  if (scan.status !== 'completed') throw new Error(`The scan ended as ${scan.status}`);
  return scan;
}
