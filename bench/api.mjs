// Small requests by the thousand: our server against a bare one with the same statements, in turns.

import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { call, freshAddress, pause } from './client.mjs';
import { writeInventory } from './inventory.mjs';
import { load } from './load.mjs';
import { median } from './numbers.mjs';
import { API_KEY } from './rig.mjs';

const CONNECTIONS = 16;
const ROUNDS = 5;
const ROUND_SECONDS = 2.5;
const WARM_UP_SECONDS = 2;
const SCANS = 30;

/**
 * @param {import('./rig.mjs').Rig} rig
 * @param {(line: string) => void} say
 * @returns {Promise<import('./report.mjs').Row[]>}
 */
export async function apiRace(rig, say) {
  const ours = await rig.startServer();
  const floor = await rig.startProgram('floor.mjs', { APP_URL: rig.appUrl });
  await fill(rig, ours);
  await assertSame(ours, floor);
  say(`${CONNECTIONS} connections, ${ROUNDS} rounds of ${ROUND_SECONDS} s each, in turns`);
  const rows = [];
  for (const [title, requestFor, goal] of [
    ['GET /scans', listRequest, 2.5],
    ['POST /projects', createRequest, 4],
  ]) {
    const rounds = await inTurns({ ours, floor }, requestFor);
    rows.push(...rowsOf(title, goal, rounds));
  }
  await ours.stop();
  await floor.stop();
  return rows;
}

/** Thirty scans of two projects, so that a page is full and there is a next one. */
async function fill(rig, { url }) {
  const file = join(rig.folder, 'small.ndjson');
  await writeInventory(file, 100);
  const projects = ['shop', 'data'];
  for (const name of projects) {
    await call(`${url}/projects`, { method: 'POST', json: { name } });
    await call(`${url}/projects/${name}/inventory`, {
      method: 'PUT',
      stream: createReadStream(file),
      type: 'application/x-ndjson',
    });
  }
  for (let scan = 0; scan < SCANS; scan += 1) {
    await call(`${url}/scans`, { method: 'POST', json: { projects, profile: 'full' } });
  }
  for (;;) {
    const { items } = await call(`${url}/scans`);
    if (items.every((scan) => scan.finishedAt !== null)) return;
    await pause(50);
  }
}

/** A race is fair only if both do the same work. */
async function assertSame(ours, floor) {
  const [a, b] = await Promise.all([ours, floor].map(({ url }) => call(`${url}/scans`)));
  if (JSON.stringify(a) !== JSON.stringify(b))
    throw new Error('The two servers answer differently');
}

async function inTurns(servers, requestFor) {
  const rounds = { ours: [], floor: [] };
  for (const server of Object.values(servers)) {
    await load(server, { connections: CONNECTIONS, seconds: WARM_UP_SECONDS, requestFor });
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, server] of Object.entries(servers)) {
      const options = { connections: CONNECTIONS, seconds: ROUND_SECONDS, requestFor };
      rounds[name].push(await load(server, options));
    }
  }
  return rounds;
}

function listRequest(host) {
  return `GET /scans HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${API_KEY}\r\n\r\n`;
}

let names = 0;

function createRequest(host) {
  names += 1;
  const body = JSON.stringify({ name: `made-${names}` });
  return `POST /projects HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${API_KEY}\r\nX-Forwarded-For: ${freshAddress()}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function rowsOf(title, goal, { ours, floor }) {
  const of = (rounds, unit) => median(rounds.map((round) => round[unit]));
  const ratio = median(ours.map((round, at) => round.cpuMicros / floor[at].cpuMicros));
  const both = (unit, digits) =>
    [ours, floor].map((rounds) => of(rounds, unit).toFixed(digits)).join(' | ');
  return [
    { what: `${title}, server CPU a request: ours | floor`, value: `${both('cpuMicros', 0)} µs` },
    {
      what: `${title}, server CPU over the floor's`,
      value: ratio.toFixed(2),
      goal: `${goal} later`,
    },
    { what: `${title}, throughput: ours | floor`, value: `${both('perSecond', 0)} /s` },
    { what: `${title}, p99: ours | floor`, value: `${both('p99Ms', 1)} ms` },
  ].map((row) => ({ part: 'api', ...row }));
}
