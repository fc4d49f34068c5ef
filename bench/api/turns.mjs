// Rounds in which all servers take turns, so other load on the machine affects all alike.
import { load } from '../load.mjs';

/**
 * A number of requests, as in compilers' warm-ups: after a fixed time, slower servers would still be cold on a slow
 * machine.
 */
const WARM_UP_REQUESTS = 4_000;
/**
 * Requests on each connection before a measured turn, which open again the database connections that were closed
 * meanwhile.
 */
const RAMP_REQUESTS = 6;
/** Minimum requests per turn, because a p99 needs enough of them. */
const MIN_REQUESTS = 200;

/** @typedef {Record<string, import('../load.mjs').Load[]>} Rounds by the name of the entrant */
/** @typedef {Record<string, import('../rig.mjs').Running>} Servers by the name of the entrant */

/**
 * @param {Servers} servers
 * @param {(host: string) => string} requestFor
 */
export async function warmUp(servers, requestFor) {
  for (const server of Object.values(servers)) {
    await load(server, { connections: 16, seconds: 0, atLeast: WARM_UP_REQUESTS, requestFor });
  }
}

/**
 * @param {Servers} servers
 * @param {{ connections: number, requestFor: (host: string) => string, rounds: number, seconds: number }} options
 * @returns {Promise<Rounds>}
 */
export async function inTurns(servers, { connections, requestFor, rounds, seconds }) {
  const names = Object.keys(servers);
  /** @type {Rounds} */
  const loads = Object.fromEntries(names.map((name) => [name, []]));
  const ramp = { connections, requestFor, seconds: 0, atLeast: RAMP_REQUESTS * connections };
  const turn = { connections, requestFor, seconds, atLeast: MIN_REQUESTS };
  for (let round = 0; round < rounds; round += 1) {
    // Varies the order, so no server always follows the same one.
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      await load(servers[name], ramp);
      loads[name].push(await load(servers[name], turn));
    }
  }
  return loads;
}
