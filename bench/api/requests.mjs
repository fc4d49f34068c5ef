// The requests of the race, as bytes.
import { API_KEY } from '../rig.mjs';

/**
 * @typedef {object} Filled what `fill.mjs` put into the database
 * @property {string} scanId the newest scan
 */

let names = 0;

/** An unused project name. */
export function freshName() {
  names += 1;
  return `made-${names}`;
}

/** @param {string} host @param {string} path */
function get(host, path) {
  return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${API_KEY}\r\n\r\n`;
}

/** @param {string} host */
function create(host) {
  const body = JSON.stringify({ name: freshName() });
  return `POST /projects HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${API_KEY}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** @type {Readonly<Record<string, (host: string, filled: Filled) => string>>} */
export const REQUESTS = {
  'GET /scans': (host) => get(host, '/scans'),
  'GET /findings': (host) => get(host, '/findings'),
  'GET /findings/summary': (host) => get(host, '/findings/summary'),
  'GET /scans/{id}/compliance': (host, { scanId }) => get(host, `/scans/${scanId}/compliance`),
  'POST /projects': create,
};

/**
 * The named requests; without names: all.
 * @param {readonly string[]} named
 * @throws {Error} for an unknown name
 */
export function requestsNamed(named) {
  const unknown = named.find((name) => !Object.hasOwn(REQUESTS, name));
  if (unknown !== undefined) {
    throw new Error(`The race has no ${unknown}: ${Object.keys(REQUESTS).join(', ')}.`);
  }
  return Object.keys(REQUESTS).filter((name) => named.length === 0 || named.includes(name));
}
