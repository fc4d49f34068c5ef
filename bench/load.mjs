// A cheap load generator, because it shares the machine with the measured server: keep-alive connections with one
// request each, written as prepared bytes.
import { once } from 'node:events';
import { connect } from 'node:net';
import { quantile } from './numbers.mjs';
import { cpuSeconds } from './processes.mjs';

/**
 * @typedef {object} Load
 * @property {number} cpuMicros CPU of the server for one request
 * @property {number} perSecond
 * @property {number} p99Ms
 */

/**
 * @param {{ url: string, pid: number }} server
 * @param {{ connections: number, seconds: number, atLeast?: number, requestFor: (host: string) => string }} options
 * `atLeast` so many requests, however long they take
 * @returns {Promise<Load>}
 */
export async function load({ url, pid }, { connections, seconds, atLeast = 0, requestFor }) {
  const { hostname, port, host } = new URL(url);
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      await once(socket, 'connect');
      return socket;
    }),
  );
  const times = [];
  const cpuBefore = cpuSeconds(pid);
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  const isOver = (now) => now >= until && times.length >= atLeast;
  await Promise.all(sockets.map((socket) => ask(socket, () => requestFor(host), isOver, times)));
  const elapsed = (performance.now() - startedAt) / 1000;
  const cpu = cpuSeconds(pid) - cpuBefore;
  for (const socket of sockets) socket.destroy();
  return {
    cpuMicros: (cpu * 1e6) / times.length,
    perSecond: times.length / elapsed,
    p99Ms: quantile(times, 0.99),
  };
}

/** Sends sequential requests on one connection. */
function ask(socket, nextRequest, isOver, times) {
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    let received = '';
    const send = () => {
      sentAt = performance.now();
      socket.write(nextRequest());
    };
    socket.setEncoding('latin1');
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The server closed a connection under load')));
    socket.on('data', (piece) => {
      received += piece;
      const length = lengthOf(received);
      if (length === null || received.length < length) return;
      if (!/^HTTP\/1\.1 2/.test(received)) {
        reject(new Error(`Under load: ${received.slice(0, 500)}`));
        return;
      }
      received = received.slice(length);
      const now = performance.now();
      times.push(now - sentAt);
      if (isOver(now)) resolve(undefined);
      else send();
    });
    send();
  });
}

/** The length of a response including its head; null until its end has arrived. */
function lengthOf(text) {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const head = text.slice(0, headEnd);
  const body = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (body !== undefined) return headEnd + 4 + Number(body);
  if (/^transfer-encoding: *chunked/im.test(head)) return chunkedLength(text, headEnd + 4);
  throw new Error('The load generator needs a Content-Length, or chunks');
}

/** Reads chunk by chunk up to the last one, which is empty (RFC 9112 §7.1). */
function chunkedLength(text, from) {
  for (let at = from; ; ) {
    const lineEnd = text.indexOf('\r\n', at);
    if (lineEnd === -1) return null;
    const size = Number.parseInt(text.slice(at, lineEnd), 16);
    at = lineEnd + 2 + size + 2;
    if (size === 0) return at;
  }
}
