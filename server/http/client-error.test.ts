import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { until } from '../../tests/kit/until.ts';
import { refuseTunnel } from './client-error.ts';

it.each([
  ['sends nothing more', ''],
  ['sends bytes through the tunnel', 'hello'],
])('a connection that asked for a tunnel is closed when its client %s', async (_, sent) => {
  const server = createServer().on('connect', refuseTunnel).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  let text = '';
  socket.on('data', (piece) => {
    text += piece.toString();
  });
  socket.write(`CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n${sent}`);
  await until('the answer has arrived', async () => text.includes('METHOD_NOT_ALLOWED'));
  socket.write(sent);
  const connections = () =>
    new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
  await until('the server has no connection', async () => (await connections()) === 0);
  server.close();
  await once(server, 'close');
  expect(text).toMatch(/^HTTP\/1\.1 405 /);
});
