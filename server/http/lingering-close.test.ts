import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../tests/kit/people.ts';
import { freshAddress, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';
import { FREE_CHUNKS } from './body-chunks.ts';
import { CLIENT_PACE } from './client-pace.ts';
import { LINGERING, LingeringClose } from './lingering-close.ts';

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  const pace = { ...CLIENT_PACE, bodyMs: 200, uploadWindowMs: 200 };
  server = await startTestServer({ pace });
  user = await server.people.user();
  const project = { method: 'POST', headers: user.key, body: { name: 'linger' } };
  expect((await server.call('/projects', project)).status).toBe(201);
});

afterAll(() => server.close());

/** A connection whose client reads only on request. */
function connected(port = Number(new URL(server.url).port)): Socket {
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  return socket;
}

function head(line: string, ...headers: string[]): string {
  const all = [
    'Host: test',
    `X-Forwarded-For: ${freshAddress()}`,
    `X-API-Key: ${user.key['x-api-key']}`,
  ];
  return `${[line, ...all, ...headers].join('\r\n')}\r\n\r\n`;
}

const UPLOAD = 'PUT /projects/linger/inventory HTTP/1.1';
const NDJSON = ['Content-Type: application/x-ndjson', 'Transfer-Encoding: chunked'];
const CHUNK = '1\r\n#\r\n';

/** Sends pieces one after another while the server closes the connection, and reads the response only afterwards. */
async function responseAfterSending(begin: string, piece: string): Promise<string> {
  const socket = connected();
  socket.write(begin);
  await until('the server closes the connection', async () => LINGERING.open === 1);
  for (let sent = 0; sent < 10; sent += 1) {
    socket.write(piece);
    await delay(10);
  }
  let text = '';
  socket.on('data', (read) => {
    text += read.toString('latin1');
  });
  socket.resume();
  await until('the connection has ended', async () => socket.closed);
  return text;
}

describe('a request that is refused while its client sends', () => {
  it.each([
    ['an upload that trickles in', /^HTTP\/1\.1 408 /, () => head(UPLOAD, ...NDJSON), CHUNK],
    [
      'a JSON body that trickles in',
      /^HTTP\/1\.1 408 /,
      () =>
        head('POST /projects HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 999'),
      ' ',
    ],
    [
      'an upload in tiny chunks',
      /^HTTP\/1\.1 400 .*Send larger chunks/s,
      () => head(UPLOAD, ...NDJSON) + CHUNK.repeat(FREE_CHUNKS + 1),
      CHUNK,
    ],
  ])(
    'a client that goes on sending after its request was refused gets the response: %s',
    async (_, refusal, begin, piece) => {
      expect(await responseAfterSending(begin(), piece)).toMatch(refusal);
      await until('the connection is closed', async () => LINGERING.open === 0);
      await until('no upload runs', async () => server.services.inventories.slots.active === 0);
    },
  );
});

/** A server that closes every connection with `lingering` after a few bytes. */
async function closingWith(lingering: LingeringClose) {
  const listener = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined);
    socket.write('refused');
    lingering.close(socket);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return { listener, port: (listener.address() as AddressInfo).port };
}

const LIMITS = { ms: 60_000, bytes: 1024 ** 3, connections: 10 };

describe('a connection that is closed while its client still sends', () => {
  it('a lingering connection is closed when its client has sent the limit of bytes', async () => {
    const { listener, port } = await closingWith(
      new LingeringClose({ ...LIMITS, bytes: 1_000_000 }),
    );
    const socket = connected(port);
    let sent = 0;
    while (!socket.destroyed) {
      socket.write(Buffer.alloc(10_000));
      sent += 10_000;
      await delay(1);
    }
    expect(sent).toBeGreaterThan(1_000_000);
    listener.close();
  });

  it('a lingering connection is closed when the time is over, although its client sends nothing and does not close it', async () => {
    const lingering = new LingeringClose({ ...LIMITS, ms: 50 });
    const { listener, port } = await closingWith(lingering);
    connected(port);
    await until('it is being closed', async () => lingering.open === 1);
    await until('it is closed', async () => lingering.open === 0);
    listener.close();
    await once(listener, 'close');
  });

  it('a connection is closed at once while as many as allowed linger', async () => {
    const lingering = new LingeringClose({ ...LIMITS, connections: 2 });
    const { listener, port } = await closingWith(lingering);
    const held = [connected(port), connected(port)];
    await until('two are being closed', async () => lingering.open === 2);
    const third = connected(port).resume();
    await until('the third is closed', async () => third.closed);
    expect(lingering.open).toBe(2);
    for (const socket of held) socket.destroy();
    await until('none is being closed', async () => lingering.open === 0);
    listener.close();
  });
});
