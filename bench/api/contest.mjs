// One contest: starts all servers on one database, checks that they do the same work, and then races them.
import { fill } from './fill.mjs';
import { buildPeers, start } from './launch.mjs';
import { REQUESTS } from './requests.mjs';
import { assertSameWork } from './same-work.mjs';
import { inTurns, warmUp } from './turns.mjs';

/**
 * @typedef {object} Heat
 * @property {string} request
 * @property {number} connections
 * @property {import('./turns.mjs').Rounds} rounds
 */

/**
 * @param {import('../rig.mjs').Rig} rig
 * @param {readonly import('./entrants.mjs').Entrant[]} entrants ours the first
 * @param {{ requests: readonly string[], connections: readonly number[], rounds: number, seconds: number }} options
 * @param {(line: string) => void} say
 * @returns {Promise<Heat[]>}
 */
export async function contest(rig, entrants, options, say) {
  const filled = await prepare(rig, entrants);
  /** @type {Record<string, import('../rig.mjs').Running>} */
  const servers = {};
  for (const entrant of entrants) servers[entrant.name] = await start(rig, entrant);
  for (const entrant of entrants) {
    if (entrant.kind === 'ours') continue;
    await assertSameWork(servers['ours'], servers[entrant.name], entrant, filled);
    say(`${entrant.title} does the same work`);
  }
  const heats = [];
  for (const request of options.requests) {
    const requestFor = (host) => REQUESTS[request](host, filled);
    say(`${request}, warming up`);
    await warmUp(servers, requestFor);
    for (const connections of options.connections) {
      say(`${request}, ${connections} connections`);
      const rounds = await inTurns(servers, { ...options, connections, requestFor });
      heats.push({ request, connections, rounds });
    }
  }
  for (const server of Object.values(servers)) await server.stop();
  return heats;
}

/**
 * Builds the servers, and fills the database through ours, which also creates the listed scans and findings.
 * @param {import('../rig.mjs').Rig} rig
 * @param {readonly import('./entrants.mjs').Entrant[]} entrants
 * @returns {Promise<import('./requests.mjs').Filled>}
 */
async function prepare(rig, entrants) {
  await buildPeers(entrants);
  const server = await rig.startServer();
  const filled = await fill(rig, server);
  await server.stop();
  return filled;
}
