// Sequential requests on one keep-alive connection, each from an unused address.
import { Agent, request } from 'node:http';
import { freshAddress } from '../client.mjs';

/** @param {string} url of the server */
export function asker(url, apiKey) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    /** @returns {Promise<{ ms: number, body: any }>} body: the JSON of the requested list */
    ask: (path, { method = 'GET', json } = {}) =>
      new Promise((resolve, reject) => {
        const headers = { 'X-API-Key': apiKey, 'X-Forwarded-For': freshAddress() };
        if (json !== undefined) headers['Content-Type'] = 'application/json';
        const startedAt = performance.now();
        const sent = request(`${url}${path}`, { method, agent, headers });
        sent.on('error', reject).on('response', (response) => {
          const pieces = [];
          response.on('data', (piece) => pieces.push(piece)).on('error', reject);
          response.on('end', () => {
            const ms = performance.now() - startedAt;
            const text = Buffer.concat(pieces).toString();
            if (response.statusCode < 300) resolve({ ms, body: JSON.parse(text) });
            else
              reject(new Error(`${method} ${path} was answered ${response.statusCode}: ${text}`));
          });
        });
        sent.end(json === undefined ? undefined : JSON.stringify(json));
      }),
    close: () => agent.destroy(),
  };
}
