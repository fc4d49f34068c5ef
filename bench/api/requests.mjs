// The two requests of the race, as bytes.
import { API_KEY } from '../rig.mjs';

let names = 0;

/** An unused project name. */
export function freshName() {
  names += 1;
  return `made-${names}`;
}

/** @param {string} host */
function list(host) {
  return `GET /scans HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${API_KEY}\r\n\r\n`;
}

/** @param {string} host */
function create(host) {
  const body = JSON.stringify({ name: freshName() });
  return `POST /projects HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${API_KEY}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** @type {Readonly<Record<string, (host: string) => string>>} */
export const REQUESTS = { 'GET /scans': list, 'POST /projects': create };
