import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { messagesOf } from './express-messages.ts';

test('Express leaves the prototypes of requests and responses as they were created', async () => {
  const app = express();
  const created: object[] = [];
  app.use((req, res) => {
    const handled = [req, res].map((message) => Object.getPrototypeOf(message));
    res.json({ isSame: handled.every((prototype, at) => prototype === created[at]), ip: req.ip });
  });
  const server = createServer(messagesOf(app));
  server.on('request', (req, res) => {
    created.push(Object.getPrototypeOf(req), Object.getPrototypeOf(res));
    app(req, res);
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');

  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`);
  expect(await response.json()).toEqual({ isSame: true, ip: '127.0.0.1' });
});
