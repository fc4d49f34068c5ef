// The idle cost of a server: the time to its first response, and its memory at rest.
import { pause } from '../client.mjs';
import { askOnce } from '../load.mjs';
import { median } from '../numbers.mjs';
import { residentBytes } from '../processes.mjs';
import { start } from './launch.mjs';
import { REQUESTS } from './requests.mjs';

const STARTS = 5;
const REST_SECONDS = 10;

/**
 * @typedef {object} Footprint
 * @property {import('./entrants.mjs').Entrant} entrant
 * @property {number} readyMs from the start of the process to the first answer from the database
 * @property {number} restBytes of it and its children, some seconds after that
 */

/**
 * Measures on an existing database with the usual data.
 * @param {import('../rig.mjs').Rig} rig
 * @param {readonly import('./entrants.mjs').Entrant[]} entrants
 * @returns {Promise<Footprint[]>}
 */
export async function footprints(rig, entrants) {
  const readyMs = entrants.map(() => []);
  for (let round = 1; round < STARTS; round += 1) {
    for (const [at, entrant] of entrants.entries()) {
      const { server, ms } = await startToAnswer(rig, entrant);
      readyMs[at].push(ms);
      await server.stop();
    }
  }
  const resting = [];
  for (const [at, entrant] of entrants.entries()) {
    const { server, ms } = await startToAnswer(rig, entrant);
    readyMs[at].push(ms);
    resting.push(server);
  }
  await pause(REST_SECONDS * 1000);
  const restBytes = resting.map(({ pid }) => residentBytes(pid));
  for (const server of resting) await server.stop();
  return entrants.map((entrant, at) => ({
    entrant,
    readyMs: median(readyMs[at]),
    restBytes: restBytes[at],
  }));
}

async function startToAnswer(rig, entrant) {
  const startedAt = performance.now();
  const server = await start(rig, entrant);
  await askOnce(server, REQUESTS['GET /scans']);
  return { server, ms: performance.now() - startedAt };
}

/**
 * @param {readonly Footprint[]} all
 * @returns {string[][]} a table with its head
 */
export function footprintTable(all) {
  return [
    ['server', 'start to first answer', 'memory at rest'],
    ...all.map(({ entrant, readyMs, restBytes }) => [
      entrant.title,
      `${readyMs.toFixed(0)} ms`,
      `${(restBytes / 1e6).toFixed(0)} MB`,
    ]),
  ];
}
