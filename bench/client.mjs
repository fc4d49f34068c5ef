// Requests to our server, one at a time. What is measured by the thousand goes through load.mjs instead.
import { request } from 'node:http';
import { API_KEY } from './rig.mjs';

let addresses = 0;

/** An address that no request came from before. */
export function freshAddress() {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/**
 * @param {string} url
 * @param {{ method?: string, json?: unknown, stream?: import('node:stream').Readable, type?: string }} [options]
 * @returns {Promise<any>} the body of the answer, which has to be a good one
 */
export async function call(url, { method = 'GET', json, stream, type = 'application/json' } = {}) {
  const sends = json !== undefined || stream !== undefined;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method,
      headers: {
        'X-API-Key': API_KEY,
        'X-Forwarded-For': freshAddress(),
        ...(sends ? { 'Content-Type': type } : {}),
      },
    });
    sent.on('error', reject).on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => {
        text += piece;
      });
      response.on('end', () => {
        if ((response.statusCode ?? 500) < 300) resolve(JSON.parse(text));
        else reject(new Error(`${method} ${url} was answered ${response.statusCode}: ${text}`));
      });
    });
    if (stream !== undefined) stream.pipe(sent);
    else sent.end(json === undefined ? undefined : JSON.stringify(json));
  });
}

/**
 * Asks again and again, one request after the other, until it is stopped.
 * @param {string} url
 * @param {number} pauseMs between requests
 * @returns {{ stop(): Promise<number[]> }} `stop` gives the time that each answer took, in milliseconds
 */
export function probe(url, pauseMs) {
  const times = [];
  let stopped = false;
  const asking = (async () => {
    while (!stopped) {
      const startedAt = performance.now();
      await call(url);
      times.push(performance.now() - startedAt);
      await pause(pauseMs);
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await asking;
      return times;
    },
  };
}

/** @param {number} ms */
export function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
