import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../tests/kit/people.ts';
import { type RawReply, rawRequest } from '../../tests/kit/raw-request.ts';
import { replyFaults } from '../../tests/kit/reply-faults.ts';
import { freshAddress, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { threadCpuMs } from '../../tests/kit/thread-cpu.ts';
import { newId } from '../platform/ids.ts';

const MIB = 1024 * 1024;

describe('a JSON body', () => {
  let server: TestServer;
  let user: TestUser;

  beforeAll(async () => {
    server = await startTestServer();
    user = await server.people.user();
  });

  afterAll(() => server.close());

  const post = (body: unknown, headers: Record<string, string> = {}, path = '/projects') =>
    server.call(path, {
      method: 'POST',
      headers: { ...user.key, 'content-type': 'application/json', ...headers },
      body,
    });

  /** Checks that refused requests wrote nothing. */
  async function projectCount(): Promise<unknown> {
    const [row] = await server.services.tenants.read(user.tenant.id, (db) =>
      db.sql<{ n: number }>({
        name: 'test-project-count',
        text: 'SELECT count(*)::int AS n FROM projects',
      }),
    );
    return row?.n;
  }

  it.each<[string, string | Uint8Array]>([
    ['cut short', '{"name":"a"'],
    ['with a comma too many', '{"name":"a",}'],
    ['with a comment', '{"name":"a"} // a'],
    ['with something after it', '{"name":"a"}{"name":"b"}'],
    ['in single quotes', "{'name':'a'}"],
    ['null', 'null'],
    ['an array', '[{"name":"a"}]'],
    ['a string', '"a"'],
    ['a number', '1e400'],
    ['NaN', 'NaN'],
    ['white space', '   '],
    ['bytes that are not text', new Uint8Array([0xff, 0xfe, 0x00, 0x7b])],
    ['an array 49,000 deep', '['.repeat(49_000) + ']'.repeat(49_000)],
    ['an object 49,000 deep', `${'{"name":'.repeat(49_000)}1${'}'.repeat(49_000)}`],
    ['a name 49,000 deep', `{"name":${'['.repeat(49_000)}${']'.repeat(49_000)}}`],
    ['with the member __proto__', '{"name":"a","__proto__":{"admin":true}}'],
    ['with the member constructor', '{"name":"a","constructor":{"prototype":{"admin":true}}}'],
    ['with NUL in a string', String.raw`{"name":"ok","description":"a\u0000b"}`],
    ['with half of a surrogate pair', String.raw`{"name":"ok","description":"a\ud800b"}`],
    ['with the other half', String.raw`{"name":"ok","description":"\udc00"}`],
    ['with a number for a string', '{"name":1}'],
    ['with a string that is too long', JSON.stringify({ name: 'a', description: 'x'.repeat(501) })],
    ['of members that are not ours', '{"name":"a","tenantId":"x","id":"y","role":"admin"}'],
  ])(
    'a JSON body %s is answered 400 without delay, and nothing is written',
    async (_what, body) => {
      const before = await projectCount();
      const startedAt = threadCpuMs();
      const reply = await post(body);
      expect(reply).toMatchObject({ status: 400, json: { code: 'VALIDATION_FAILED' } });
      expect(reply.json.errors[0].path).toMatch(/^body/);
      expect(threadCpuMs() - startedAt).toBeLessThan(1_000);
      expect(replyFaults(reply, null)).toEqual([]);
      expect(await projectCount()).toBe(before);
      expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
    },
  );

  it('a user id in a JSON body is ignored, because identity never comes from a body', async () => {
    const other = await server.people.user();
    for (const member of ['userId', 'tenantId', 'role', 'permissions']) {
      const reply = await server.call('/api-keys', {
        method: 'POST',
        headers: user.session,
        body: { name: 'k', [member]: other.id },
      });
      expect(reply.status).toBe(400);
    }
  });

  it('a missing JSON body is answered 400 for any content type', async () => {
    for (const headers of [[], ['Content-Length: 0'], ['Content-Type: text/plain']]) {
      const reply = await rawRequest(server.url, {
        line: 'POST /projects HTTP/1.1',
        headers: [...headers, `X-API-Key: ${user.key['x-api-key']}`],
      });
      expect(reply).toMatchObject({ status: 400, json: { code: 'VALIDATION_FAILED' } });
    }
  });

  it('each fault of a JSON body is reported with its path', async () => {
    const reply = await post({ name: 'NOT A NAME', description: '' });
    expect(reply.json.errors.map(({ path }: { path: string }) => path)).toEqual([
      'body.name',
      'body.description',
    ]);
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json; charset=utf8',
    'application/json;charset="UTF-8"',
    'APPLICATION/JSON',
  ])('a JSON body sent as %s is accepted', async (type) => {
    const reply = await post(JSON.stringify({ name: `n-${newId()}` }), { 'content-type': type });
    expect(reply.status).toBe(201);
  });

  it.each([
    'text/plain',
    'text/json',
    'application/json-patch+json',
    'application/jsonx',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/json; charset=nonsense',
    '',
  ])('a JSON body sent as "%s" is answered 415', async (type) => {
    const reply = await post('{"name":"a"}', { 'content-type': type });
    expect(reply).toMatchObject({ status: 415, json: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
  });

  it.each<[string, (plain: string) => Uint8Array]>([
    ['gzip', (plain) => gzipSync(plain)],
    ['deflate', (plain) => deflateSync(plain)],
    ['br', (plain) => brotliCompressSync(plain)],
  ])(
    'a JSON body compressed with %s is accepted, and refused when the data is not in that encoding',
    async (encoding, pack) => {
      const headers = { 'content-encoding': encoding };
      const packed = pack(JSON.stringify({ name: `n-${newId()}` }));
      expect((await post(packed, headers)).status).toBe(201);
      for (const broken of [packed.subarray(0, packed.length - 4), Buffer.from('{"name":"a"}')]) {
        const reply = await post(broken, headers);
        expect(reply).toMatchObject({ status: 400, json: { code: 'VALIDATION_FAILED' } });
      }
    },
  );

  it('an unknown content encoding is answered 415', async () => {
    const reply = await post('{"name":"a"}', { 'content-encoding': 'zip' });
    expect(reply.status).toBe(415);
  });

  it('a small compressed body that expands beyond 1 MiB is answered 413', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * MIB, ' '));
    expect(bomb.length).toBeLessThan(MIB / 4);
    const reply = await post(bomb, { 'content-encoding': 'gzip' });
    expect(reply).toMatchObject({ status: 413, json: { code: 'PAYLOAD_TOO_LARGE' } });
  });

  it('a JSON body of exactly 1 MiB is accepted, and one byte more is answered 413', async () => {
    const sized = (bytes: number) => {
      const empty = JSON.stringify({ name: '' }).length;
      return JSON.stringify({ name: 'x'.repeat(bytes - empty) });
    };
    expect((await post(sized(MIB))).status).toBe(400);
    expect((await post(sized(MIB + 1))).status).toBe(413);
  });

  it('a client that sends a JSON body of 8 MiB receives the 413 before it has sent everything', async () => {
    const headers = (length: string) => [
      'Content-Type: application/json',
      `X-API-Key: ${user.key['x-api-key']}`,
      length,
    ];
    const whole = await rawRequest(server.url, {
      line: 'POST /projects HTTP/1.1',
      headers: headers(`Content-Length: ${8 * MIB}`),
      body: Buffer.alloc(8 * MIB, 'x'),
    });
    expect(replyFaults(whole, null)).toEqual([]);
    expect(whole).toMatchObject({ status: 413, json: { code: 'PAYLOAD_TOO_LARGE' } });
    const chunk = `${(8 * MIB).toString(16)}\r\n${'x'.repeat(8 * MIB)}\r\n0\r\n\r\n`;
    const chunked = await rawRequest(server.url, {
      line: 'POST /projects HTTP/1.1',
      headers: headers('Transfer-Encoding: chunked'),
      body: chunk,
    });
    expect(chunked).toMatchObject({ status: 413, json: { code: 'PAYLOAD_TOO_LARGE' } });
  });

  it('the connection remains usable after a JSON body was refused', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const pieces: Buffer[] = [];
    socket.on('data', (piece) => pieces.push(piece));
    await once(socket, 'connect');
    const head = `Host: test\r\nX-API-Key: ${user.key['x-api-key']}\r\nX-Forwarded-For: ${freshAddress()}\r\n`;
    const json = 'Content-Type: application/json\r\n';
    socket.write(`POST /projects HTTP/1.1\r\n${head}${json}Content-Length: ${2 * MIB}\r\n\r\n`);
    socket.write(Buffer.alloc(2 * MIB, 'x'));
    socket.write(`GET /auth/me HTTP/1.1\r\n${head}Connection: close\r\n\r\n`);
    await once(socket, 'close');
    const statuses = Buffer.concat(pieces)
      .toString()
      .match(/HTTP\/1\.1 \d{3}/g);
    expect(statuses).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });

  it('a request whose JSON body the client cuts off does not affect the next request', async () => {
    const { hostname, port } = new URL(server.url);
    const cut = request({
      hostname,
      port,
      method: 'POST',
      path: '/projects',
      headers: { ...user.key, 'content-type': 'application/json', 'content-length': '1000' },
    });
    cut.on('error', () => undefined);
    cut.write('{"name":');
    await once(cut, 'socket').then(() => cut.destroy());
    const next: RawReply = await rawRequest(server.url, {
      line: 'GET /auth/me HTTP/1.1',
      headers: [`X-API-Key: ${user.key['x-api-key']}`],
    });
    expect(next.status).toBe(200);
  });

  it('a form that cannot be read is refused as a form', async () => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await post('a=&'.repeat(5000), type, '/auth/saml/acs');
    expect(reply).toMatchObject({
      status: 400,
      json: { errors: [{ path: 'body', message: 'is not valid form data' }] },
    });
  });

  it('a JSON body is ignored by an operation without one', async () => {
    const reply = await rawRequest(server.url, {
      line: 'GET /auth/me HTTP/1.1',
      headers: [
        `X-API-Key: ${user.key['x-api-key']}`,
        'Content-Type: text/plain',
        'Content-Length: 4',
      ],
      body: 'junk',
    });
    expect(reply.status).toBe(200);
  });
});
