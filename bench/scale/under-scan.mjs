// npm run bench:scale -- --under-scan: the latency of other requests while a large scan writes.
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { call, pause } from '../client.mjs';
import { writeInventory } from '../inventory.mjs';
import { median, quantile } from '../numbers.mjs';
import { aligned } from '../report.mjs';
import { API_KEY } from '../rig.mjs';
import { asker } from './ask.mjs';

const AT_REST_MS = 15_000;
const PAUSE_MS = 20;

/** Requests of a tenant that is unrelated to the scan. */
const ASKED = {
  'GET /findings?limit=25': (client) => client.ask('/findings?limit=25'),
  'GET /scans': (client) => client.ask('/scans'),
  'POST /projects': (client) =>
    client.ask('/projects', { method: 'POST', json: { name: `p-${crypto.randomUUID()}` } }),
};

/**
 * One after the other: the worker within the server, and the worker in a process of its own.
 * @param {import('../rig.mjs').Rig} rig
 * @param {{ assets: number, apiKey: string }} options `apiKey` of another tenant than the first
 */
export async function underScan(rig, { assets, apiKey }, say) {
  const file = join(rig.folder, 'inventory.ndjson');
  await writeInventory(file, assets);
  const lines = [];
  for (const [where, start] of [
    ['within the server', () => startInline(rig)],
    ['in a process of its own', () => startApart(rig)],
  ]) {
    const { server, stop } = await start();
    const project = `bench-${Date.now()}`;
    await call(`${server.url}/projects`, { method: 'POST', json: { name: project } });
    await call(`${server.url}/projects/${project}/inventory`, {
      method: 'PUT',
      stream: createReadStream(file),
      type: 'application/x-ndjson',
    });
    await times(server.url, apiKey, pause(2_000));
    const rest = await times(server.url, apiKey, pause(AT_REST_MS));
    for (const round of ['first', 'again']) {
      const startedAt = performance.now();
      const scan = scanOf(server.url, project);
      const busy = await times(server.url, apiKey, scan);
      const { deltas } = await scan;
      const seconds = (performance.now() - startedAt) / 1000;
      say(`worker ${where}, ${round}: ${seconds.toFixed(1)} s, ${deltas}`);
      for (const what of Object.keys(ASKED)) {
        lines.push([`${where}, ${round}`, what, ...cells(rest[what], busy[what])]);
      }
    }
    await stop();
  }
  await rm(file);
  const head = [
    'worker',
    'asked',
    'median at rest',
    'p99',
    'median in a scan',
    'p99',
    'longest',
    'p99 ratio',
    'asked',
  ];
  return aligned([head, ...lines], (at) => at > 1);
}

async function startInline(rig) {
  const server = await rig.startServer();
  return { server, stop: () => server.stop() };
}

async function startApart(rig) {
  const server = await rig.startServer({ WORKER: 'off' });
  const worker = await rig.startServer({ WORKER: 'only' });
  return { server, stop: () => Promise.all([server.stop(), worker.stop()]) };
}

function cells(rest, busy) {
  const ms = (value) => `${value.toFixed(1)} ms`;
  const [calm, loaded] = [quantile(rest, 0.99), quantile(busy, 0.99)];
  return [
    ms(median(rest)),
    ms(calm),
    ms(median(busy)),
    ms(loaded),
    ms(Math.max(...busy)),
    (loaded / calm).toFixed(1),
    String(busy.length),
  ];
}

/** Repeats all requests concurrently until something is over. */
async function times(url, apiKey, over) {
  let done = false;
  const end = over.finally(() => {
    done = true;
  });
  const entries = Object.entries(ASKED).map(async ([what, ask]) => {
    const client = asker(url, apiKey);
    const taken = [];
    while (!done) {
      taken.push((await ask(client)).ms);
      await pause(PAUSE_MS);
    }
    client.close();
    return [what, taken];
  });
  const all = Object.fromEntries(await Promise.all(entries));
  await end;
  return all;
}

async function scanOf(url, project) {
  const json = { projects: [project], profile: 'full' };
  const client = asker(url, API_KEY);
  let { body: scan } = await client.ask('/scans', { method: 'POST', json });
  while (scan.finishedAt === null) {
    await pause(200);
    scan = (await client.ask(`/scans/${scan.id}`)).body;
  }
  client.close();
  if (scan.status !== 'completed') throw new Error(`The scan ended as ${scan.status}`);
  return { deltas: JSON.stringify(scan.delta) };
}
