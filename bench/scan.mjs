// A large inventory: upload, scan and storage of its findings, compared with reading and parsing the same file.
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { call, pause, probe } from './client.mjs';
import { writeInventory } from './inventory.mjs';
import { median, quantile } from './numbers.mjs';
import { cpuSeconds, runApart, watchMemory } from './processes.mjs';
import { scanOf, uploadTo } from './scan-cost.mjs';

/**
 * @param {import('./rig.mjs').Rig} rig
 * @param {{ assets: number, rounds: number }} options
 * @param {(line: string) => void} say
 * @returns {Promise<import('./report.mjs').Row[]>}
 */
export async function scanRace(rig, { assets, rounds }, say) {
  const file = join(rig.folder, 'inventory.ndjson');
  const { records, bytes } = await writeInventory(file, assets);
  const megabytes = Math.round(bytes / 1e6);
  say(`${assets} assets in ${records} records, ${megabytes} MB`);
  const server = await rig.startServer();
  const idle = await idleTimes(server);
  const results = [];
  for (let round = 1; round <= rounds; round += 1) {
    const parse = await runApart('parse-pass.mjs', file);
    const project = `race-${round}`;
    await call(`${server.url}/projects`, { method: 'POST', json: { name: project } });
    const upload = await measured(server, () => uploadTo(server, project, file));
    const scan = await measured(server, () => scanOf(server, project, 20));
    results.push({ parse, upload, scan });
    say(
      `round ${round}: parse ${parse.seconds.toFixed(2)} s, upload ${upload.seconds.toFixed(2)} s, scan ${scan.seconds.toFixed(2)} s`,
    );
  }
  await server.stop();
  const evaluated = await runApart('evaluate-pass.mjs', file);
  await rm(file);
  return rowsOf({ assets, megabytes, idle, results, evaluated });
}

async function idleTimes(server) {
  const health = probe(`${server.url}/health/live`, 5);
  await pause(1_500);
  return health.stop();
}

/** Time, CPU and peak memory of the server, and its response times for others meanwhile. */
async function measured(server, work) {
  const memory = watchMemory(server.pid);
  const health = probe(`${server.url}/health/live`, 5);
  const list = probe(`${server.url}/scans`, 50);
  const cpuBefore = cpuSeconds(server.pid);
  const startedAt = performance.now();
  const result = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = cpuSeconds(server.pid) - cpuBefore;
  return {
    result,
    seconds,
    cpuSeconds: cpu,
    peakBytes: memory.stop(),
    healthMs: await health.stop(),
    listMs: await list.stop(),
  };
}

function rowsOf({ assets, megabytes, idle, results, evaluated }) {
  const over = (part, unit) => median(results.map((r) => r[part][unit] / r.parse[unit]));
  const seconds = (part) => median(results.map((r) => r[part].seconds));
  const peak = (part) => Math.max(...results.map((r) => r[part].peakBytes)) / 2 ** 20;
  const times = (part, of) => results.flatMap((r) => r[part][of]);
  const { totals } = results[0].scan.result;
  const findings = Object.values(totals.bySeverity).reduce((sum, count) => sum + count, 0);
  const ms = (value) => `${value.toFixed(1)} ms`;
  return [
    {
      what: `parse ${megabytes} MB: readline + JSON.parse, the yardstick`,
      value: `${seconds('parse').toFixed(2)} s`,
    },
    { what: `upload ${assets} assets`, value: `${seconds('upload').toFixed(2)} s` },
    { what: 'upload over parse, time', value: over('upload', 'seconds').toFixed(2) },
    { what: 'scan, launch to completed', value: `${seconds('scan').toFixed(2)} s` },
    {
      what: 'scan over parse, time',
      value: over('scan', 'seconds').toFixed(2),
      goal: '10; 3 later',
      met: over('scan', 'seconds') <= 10,
    },
    { what: 'scan over parse, CPU of the process', value: over('scan', 'cpuSeconds').toFixed(2) },
    {
      what: 'upload and scan, time',
      value: `${(seconds('upload') + seconds('scan')).toFixed(2)} s`,
      goal: '30 s later',
    },
    { what: 'findings of a scan', value: String(findings) },
    { what: 'evaluations of a scan', value: String(totals.evaluations) },
    {
      what: 'peak memory, upload',
      value: `${peak('upload').toFixed(0)} MB`,
      goal: '400 MB',
      met: peak('upload') < 400,
    },
    {
      what: 'peak memory, scan',
      value: `${peak('scan').toFixed(0)} MB`,
      goal: '400 MB',
      met: peak('scan') < 400,
    },
    { what: 'GET /health/live p99: idle', value: ms(quantile(idle, 0.99)) },
    {
      what: 'GET /health/live p99, longest: upload',
      value: `${ms(quantile(times('upload', 'healthMs'), 0.99))}, ${ms(Math.max(...times('upload', 'healthMs')))}`,
    },
    {
      what: 'GET /health/live p99, longest: scan',
      value: `${ms(quantile(times('scan', 'healthMs'), 0.99))}, ${ms(Math.max(...times('scan', 'healthMs')))}`,
    },
    {
      what: 'GET /scans p99 during an upload',
      value: ms(quantile(times('upload', 'listMs'), 0.99)),
      goal: '100 ms',
      met: quantile(times('upload', 'listMs'), 0.99) < 100,
    },
    {
      what: 'GET /scans p99 during a scan',
      value: ms(quantile(times('scan', 'listMs'), 0.99)),
      goal: '100 ms',
      met: quantile(times('scan', 'listMs'), 0.99) < 100,
    },
    {
      what: 'evaluations alone, on parsed assets',
      value: `${(median(evaluated.perSecond) / 1e6).toFixed(2)} million/s`,
      goal: '3 million/s on a quiet machine',
    },
    {
      what: 'one pass of evaluations over one JSON.parse of the same assets, CPU time',
      value: median(evaluated.overParse).toFixed(2),
    },
    {
      what: `load of the machine at that time, of ${availableParallelism()} processors`,
      value: evaluated.load.toFixed(1),
    },
  ].map((row) => ({ part: 'scan', ...row }));
}
