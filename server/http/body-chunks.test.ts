import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../tests/kit/people.ts';
import { freshAddress, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';
import { FREE_CHUNKS } from './body-chunks.ts';

let server: TestServer;
let user: TestUser;
const lines: string[] = [];

beforeAll(async () => {
  server = await startTestServer({ log: { write: (line: string) => void lines.push(line) } });
  user = await server.people.user();
  const project = { method: 'POST', headers: user.key, body: { name: 'chunks' } };
  expect((await server.call('/projects', project)).status).toBe(201);
});

afterAll(() => server.close());

const chunked = (text: string, size: number) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => {
    const part = text.slice(at * size, (at + 1) * size);
    return `${part.length.toString(16)}\r\n${part}\r\n`;
  }).join('');

/** Sends a body in chunks of one size, and its end. The server may close the connection before it has read all. */
async function send(line: string, type: string, text: string, size: number) {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  let [received, isClosed] = ['', false];
  socket.on('error', () => undefined);
  socket.on('data', (piece) => {
    received += piece.toString('latin1');
  });
  socket.once('close', () => {
    isClosed = true;
  });
  const head = [
    `${line} HTTP/1.1`,
    'Host: test',
    `X-Forwarded-For: ${freshAddress()}`,
    `X-API-Key: ${user.key['x-api-key']}`,
    `Content-Type: ${type}`,
    'Transfer-Encoding: chunked',
    'Connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${chunked(text, size)}0\r\n\r\n`);
  await until('the connection is closed', async () => isClosed);
  const [, body = ''] = received.split('\r\n\r\n');
  return { status: Number(received.split(' ')[1]), json: JSON.parse(body) };
}

const JSON_TYPE = 'application/json';
const REFUSED = {
  status: 400,
  json: {
    code: 'VALIDATION_FAILED',
    errors: [{ path: 'body', message: expect.stringContaining('Send larger chunks') }],
  },
};

describe('a body in tiny chunks', () => {
  it.each([
    ['JSON without a credential', 'POST /auth/login', JSON_TYPE],
    ['JSON with an API key', 'POST /projects', JSON_TYPE],
    ['a form', 'POST /auth/saml/acs', 'application/x-www-form-urlencoded'],
    ['an inventory', 'PUT /projects/chunks/inventory', 'application/x-ndjson'],
  ])('a body in tiny chunks is refused with 400 before its end: %s', async (_what, line, type) => {
    const reply = await send(line, type, `{}${' '.repeat(20_000)}`, 1);
    expect(reply).toMatchObject(REFUSED);
  });

  it('an inventory that was cut off in tiny chunks is not stored', async () => {
    const { slots } = server.services.inventories;
    await until('no upload is running', async () => slots.active === 0);
    const { json } = await server.call('/projects/chunks', { headers: user.key });
    expect(json.inventory).toBeNull();
  });

  it('a body of few tiny chunks is accepted', async () => {
    const text = JSON.stringify({ name: 'few' });
    const padded = text.padEnd(FREE_CHUNKS);
    expect((await send('POST /projects', JSON_TYPE, padded, 1)).status).toBe(201);
  });

  it('an inventory whose lines of 100 bytes are sent in a chunk each is accepted', async () => {
    const line = (at: number) =>
      `{"name":"//a/${at}","asset_type":"a/B","resource":{"data":{}}}`.padEnd(99);
    const text = Array.from({ length: 3 * FREE_CHUNKS }, (_, at) => `${line(at)}\n`).join('');
    const upload = 'PUT /projects/chunks/inventory';
    const reply = await send(upload, 'application/x-ndjson', text, 100);
    expect(reply.status).toBe(201);
  });
});

describe('a client that disconnects within its body', () => {
  it('a client that disconnects within its body is not logged as a defect', async () => {
    const { hostname, port } = new URL(server.url);
    const before = lines.length;
    for (let count = 0; count < 10; count += 1) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      const head = `POST /projects HTTP/1.1\r\nHost: test\r\nX-API-Key: ${user.key['x-api-key']}\r\nX-Forwarded-For: ${freshAddress()}\r\n`;
      socket.write(
        `${head}Content-Type: application/json\r\nContent-Length: 20\r\n\r\n{"name`,
        () => socket.destroy(),
      );
      await once(socket, 'close');
    }
    const logged = () => lines.slice(before).map((line) => JSON.parse(line));
    await until(
      'all requests are logged',
      async () => logged().filter(({ msg, aborted }) => msg === 'request' && aborted).length === 10,
    );
    expect(logged().filter(({ level }) => level === 'error' || level >= 50)).toEqual([]);
  });
});
