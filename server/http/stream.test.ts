import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Response } from 'express';
import { expect, it } from 'vitest';
import { sendStream } from './stream.ts';

const server = createServer();
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

it('a stream whose client has left before its first piece ends, closes its source and leaves no timer', async () => {
  let pull = () => {};
  const pulled = new Promise<void>((resolve) => {
    pull = resolve;
  });
  let isClosed = false;
  let running = 0;
  async function* source(leave: Promise<unknown>) {
    try {
      pull();
      await leave;
      running = timers();
      for (;;) yield 'piece';
    } finally {
      isClosed = true;
    }
  }
  const sent = new Promise<void>((resolve) => {
    server.once('request', (_, res) => {
      const left = once(res, 'close');
      resolve(sendStream(res as unknown as Response, {}, source(left)));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
  await pulled;
  socket.destroy();
  await sent;
  expect(isClosed).toBe(true);
  expect(timers()).toBe(running);
  server.close();
  await once(server, 'close');
});
