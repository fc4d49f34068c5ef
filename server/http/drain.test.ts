import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../tests/kit/until.ts';
import { Health } from '../platform/health.ts';
import { drain } from './drain.ts';

let server: Server;
let port: number;
/** Ends the response of `GET /slow`. */
let finish: () => void;

beforeEach(async () => {
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  server = createServer((req, res) => {
    if (req.url !== '/slow') {
      res.end('served');
      return;
    }
    res.write('first');
    finished.then(() => res.end('last'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});

afterEach(() => {
  server.closeAllConnections();
});

/**
 * Sends one request over its own connection.
 * @returns what was received until the connection closed
 */
async function ask(method: string, path: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  socket.on('error', () => undefined);
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: test\r\nContent-Length: 0\r\n\r\n`);
  await once(socket, 'close');
  return text;
}

function draining(): Promise<void> {
  return drain(server, new Health(new pg.Pool()), { noticeMs: 1, deadlineMs: 60_000 });
}

it('a draining server gives no response to a read that arrives late, and serves writes and probes', async () => {
  const drained = draining();
  await until('a read without a response', async () => (await ask('GET', '/scans')) === '');
  for (const [method, path] of [
    ['POST', '/scans'],
    ['GET', '/health/live'],
    ['GET', '/api/v1/health/live'],
  ] as const) {
    const reply = await ask(method, path);
    // On a busy machine the listener may already be closed, and the connection is refused.
    if (reply !== '') expect(reply, path).toMatch(/^HTTP\/1\.1 200 [\s\S]*served$/);
  }
  await drained;
});

it('a draining server completes a response although a late read waits on the same connection', async () => {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  socket.on('error', () => undefined);
  socket.write('GET /slow HTTP/1.1\r\nHost: test\r\n\r\n');
  await until('the first part', async () => text.includes('first'));
  const drained = draining();
  await until('a read without a response', async () => (await ask('GET', '/scans')) === '');
  socket.write('GET /scans HTTP/1.1\r\nHost: test\r\n\r\n');
  // The response to a later request proves that the server received the read behind the slow one.
  await ask('POST', '/scans');
  finish();
  await until('the last part', async () => text.includes('last'));
  socket.destroy();
  await drained;
});
