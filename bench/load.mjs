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
 * Every connection is used once before the measurement: Node accepts one in each turn of its event loop, so the first
 * request on the last of many would wait for as many turns.
 * @param {{ url: string, pid: number }} server
 * @param {{ connections: number, seconds: number, atLeast?: number, requestFor: (host: string) => string }} options
 * `atLeast` so many requests, however long they take
 * @returns {Promise<Load>}
 */
export async function load({ url, pid }, { connections, seconds, atLeast = 0, requestFor }) {
  const { host } = new URL(url);
  const nextRequest = () => requestFor(host);
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(url)));
  await Promise.all(sockets.map((socket) => ask(socket, nextRequest, () => true, [])));
  const times = [];
  const cpuBefore = cpuSeconds(pid);
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  const isOver = (now) => now >= until && times.length >= atLeast;
  await Promise.all(sockets.map((socket) => ask(socket, nextRequest, isOver, times)));
  const elapsed = (performance.now() - startedAt) / 1000;
  const cpu = cpuSeconds(pid) - cpuBefore;
  for (const socket of sockets) socket.destroy();
  return {
    cpuMicros: (cpu * 1e6) / times.length,
    perSecond: times.length / elapsed,
    p99Ms: quantile(times, 0.99),
  };
}

/**
 * Sends one request on a new connection.
 * @param {{ url: string }} server
 * @param {(host: string) => string} requestFor
 */
export async function askOnce({ url }, requestFor) {
  const socket = await open(url);
  await ask(
    socket,
    () => requestFor(new URL(url).host),
    () => true,
    [],
  );
  socket.destroy();
}

async function open(url) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  socket.setEncoding('latin1');
  return socket;
}

/**
 * Sends sequential requests on one connection, one or more, until `isOver`. One that is refused with 503 is repeated, because
 * a busy machine can delay a request beyond a time limit of the server; its time and its cost count.
 */
function ask(socket, nextRequest, isOver, times) {
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    let received = '';
    let request = '';
    let refused = 0;
    const send = () => {
      sentAt = performance.now();
      request = nextRequest();
      socket.write(request);
    };
    const closed = () => reject(new Error('The server closed a connection under load'));
    const read = (piece) => {
      received += piece;
      const length = lengthOf(received);
      if (length === null || received.length < length) return;
      if (!/^HTTP\/1\.1 2/.test(received)) {
        refused += 1;
        if (!/^HTTP\/1\.1 503/.test(received) || refused > REFUSED_MAX) {
          reject(new Error(`Under load: ${received.slice(0, 500)}`));
          return;
        }
        received = received.slice(length);
        setTimeout(() => socket.write(request), REPEAT_AFTER_MS);
        return;
      }
      received = received.slice(length);
      const now = performance.now();
      times.push(now - sentAt);
      if (!isOver(now)) {
        send();
        return;
      }
      socket.off('data', read).off('close', closed).off('error', reject);
      resolve(undefined);
    };
    socket.on('data', read).on('close', closed).on('error', reject);
    send();
  });
}

/** Refused requests on one connection in one turn. */
const REFUSED_MAX = 3;
const REPEAT_AFTER_MS = 1000;

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
