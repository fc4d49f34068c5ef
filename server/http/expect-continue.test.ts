import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { TestUser } from '../../tests/kit/people.ts';
import { freshAddress, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';
import { serveExpectations } from './expect-continue.ts';

const MIB = 1024 * 1024;
const ASSET = `${JSON.stringify({
  name: '//storage.googleapis.com/shop',
  asset_type: 'storage.googleapis.com/Bucket',
  resource: { data: {} },
})}\n`;
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

it.each(['100-continue', 'something-else'])(
  'listeners for requests, such as that of a drain, get requests that expect %s',
  async (expectation) => {
    const server = createServer((_req, res) => res.end());
    onTestFinished(() => void server.close());
    serveExpectations(server);
    server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`GET / HTTP/1.1\r\nHost: test\r\nExpect: ${expectation}\r\n\r\n`);
    const [received] = await once(socket, 'data');
    expect(String(received)).toMatch(/^HTTP\/1\.1 200 .*\r\nConnection: close\r\n/s);
  },
);

describe('a request with Expect: 100-continue', () => {
  let server: TestServer;
  let user: TestUser;
  let viewer: TestUser;

  beforeAll(async () => {
    server = await startTestServer();
    user = await server.people.user();
    viewer = await server.people.user({ role: 'viewer' });
    const project = { method: 'POST', headers: user.key, body: { name: 'shop' } };
    expect((await server.call('/projects', project)).status).toBe(201);
  });

  afterAll(() => server.close());

  /** Sends the head of a request, and collects what is received. */
  function expectant(line: string, headers: readonly string[], by: TestUser | null = user) {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    const client = { socket, received: '', closed: once(socket, 'close') };
    socket.on('data', (piece) => {
      client.received += piece.toString('latin1');
    });
    const all = [
      `${line} HTTP/1.1`,
      'Host: test',
      `X-Forwarded-For: ${freshAddress()}`,
      'Expect: 100-continue',
      ...(by === null ? [] : [`X-API-Key: ${by.key['x-api-key']}`]),
      ...headers,
    ];
    socket.write(`${all.join('\r\n')}\r\n\r\n`);
    return client;
  }

  const JSON_TYPE = 'Content-Type: application/json';
  const NDJSON = 'Content-Type: application/x-ndjson';
  const upload = 'PUT /projects/shop/inventory';

  it.each<[string, string, string[], () => TestUser | null, RegExp]>([
    [
      'without a credential',
      upload,
      [NDJSON, 'Content-Length: 9999'],
      () => null,
      /^401 .*UNAUTHORIZED/s,
    ],
    [
      'without the permission',
      upload,
      [NDJSON, 'Content-Length: 9999'],
      () => viewer,
      /^403 .*FORBIDDEN/s,
    ],
    ['of an unknown path', 'PUT /nothing', [NDJSON, 'Content-Length: 9999'], () => user, /^404 /],
    [
      'of another content type',
      upload,
      ['Content-Type: text/csv', 'Transfer-Encoding: chunked'],
      () => user,
      /^415 /,
    ],
    [
      'with too much JSON',
      'POST /projects',
      [JSON_TYPE, `Content-Length: ${MIB + 1}`],
      () => user,
      /^413 /,
    ],
    [
      'of an unknown project',
      'PUT /projects/other/inventory',
      [NDJSON, 'Content-Length: 9999'],
      () => user,
      /^404 /,
    ],
  ])(
    'a request %s is refused before its body is asked for, and the connection ends',
    async (_what, line, headers, by, refusal) => {
      const client = expectant(line, headers, by());
      await client.closed;
      expect(client.received.replace(/^HTTP\/1\.1 /, '')).toMatch(refusal);
      expect(client.received).toMatch(/\r\nConnection: close\r\n/);
      expect(client.received).not.toContain(' 100 ');
      expect(client.received.split('HTTP/1.1 ')).toHaveLength(2);
    },
  );

  it.each<[string, string, string[], Buffer, RegExp]>([
    ['JSON', 'POST /projects', [JSON_TYPE], Buffer.from('{"name":"asked"}'), /^HTTP\/1\.1 201 /],
    [
      'JSON that is compressed',
      'POST /projects',
      [JSON_TYPE, 'Content-Encoding: gzip'],
      gzipSync('{"name":"asked-gzip"}'),
      /^HTTP\/1\.1 201 /,
    ],
    ['an inventory', upload, [NDJSON], Buffer.from(ASSET), /^HTTP\/1\.1 201 /],
    [
      'an inventory that is compressed',
      upload,
      [NDJSON, 'Content-Encoding: gzip'],
      gzipSync(ASSET),
      /^HTTP\/1\.1 201 /,
    ],
  ])(
    'the body of an accepted request is asked for once, and the connection stays open: %s',
    async (_what, line, headers, body, answer) => {
      const client = expectant(line, [...headers, `Content-Length: ${body.length}`]);
      await until('the body is asked for', async () => client.received === CONTINUE);
      client.socket.write(body);
      const answered = () => client.received.slice(CONTINUE.length);
      await until('the answer', async () => answer.test(answered()));
      expect(answered()).not.toContain('100 Continue');
      client.socket.write('GET /health/live HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n');
      await client.closed;
      expect(answered()).toMatch(/HTTP\/1\.1 200 /);
    },
  );

  it('a client that sends a refused body although it was not asked for reads the refusal', async () => {
    const client = expectant(upload, [NDJSON, 'Content-Length: 500000'], null);
    client.socket.write(ASSET.repeat(1000));
    await client.closed;
    expect(client.received).toMatch(/^HTTP\/1\.1 401 .*"code":"UNAUTHORIZED"/s);
  });

  it('a request without a body is served', async () => {
    const client = expectant('GET /auth/me', ['Connection: close']);
    await client.closed;
    expect(client.received).toMatch(/^HTTP\/1\.1 200 /);
  });
});
