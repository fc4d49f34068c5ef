import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { endInPieces } from './end-in-pieces.ts';

/** More than the kernel takes at once. */
const BODY_BYTES = 32 * 1024 ** 2;

it('a client that ends its side while it reads a large response receives all of it', async () => {
  const app = express();
  app.get('/', (_req, res) => {
    res.setHeader('content-length', BODY_BYTES);
    endInPieces(res, Buffer.alloc(BODY_BYTES, 'x'));
  });
  const listening = app.listen(0, '127.0.0.1');
  onTestFinished(() => {
    listening.close();
  });
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let received = 0;
  client.on('data', (bytes) => {
    received += bytes.filter((byte) => byte === 'x'.charCodeAt(0)).length;
  });
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(client, 'data');
  client.end();
  await once(client, 'close');
  // The name of the framework in the header fields has an x too.
  expect(received).toBeGreaterThanOrEqual(BODY_BYTES);
});
