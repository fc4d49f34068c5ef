// Rounds in which everybody has a turn, so that what else the machine is doing falls on all alike.
import { load } from '../load.mjs';

/** By count, as compilers do: a slow machine would leave the slower servers cold after any number of seconds. */
const WARM_UP_REQUESTS = 4_000;
/** Of each turn, before it is measured: connections to the database that were let go in the meantime come back. */
const RAMP_REQUESTS = 200;
/** Of each turn, however long they take: a p99 wants some. */
const LEAST_REQUESTS = 400;

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
  const ramp = { connections, requestFor, seconds: 0, atLeast: RAMP_REQUESTS };
  const turn = { connections, requestFor, seconds, atLeast: LEAST_REQUESTS };
  for (let round = 0; round < rounds; round += 1) {
    // Nobody always comes after the same neighbour.
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      await load(servers[name], ramp);
      loads[name].push(await load(servers[name], turn));
    }
  }
  return loads;
}
