import { PERMISSIONS } from '@cspm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../tests/kit/people.ts';
import { rawRequest } from '../../tests/kit/raw-request.ts';
import { replyFaults } from '../../tests/kit/reply-faults.ts';
import { freshAddress, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { newId } from '../platform/ids.ts';

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await startTestServer({ config: { rateLimit: 20 } });
  user = await server.people.user();
});

afterAll(() => server.close());

describe('a request', () => {
  it('a request gets the same response at its plain path and under /api/v1', async () => {
    const [plain, prefixed] = await Promise.all([
      server.call('/scans', { headers: user.key }),
      server.call('/api/v1/scans', { headers: user.key }),
    ]);
    expect(plain.status).toBe(200);
    expect(prefixed.json).toEqual(plain.json);
  });

  it.each([
    ['in absolute form', 'GET http://elsewhere.example/api/v1/auth/me HTTP/1.1'],
    ['in absolute form, in capitals', 'GET HTTP://ELSEWHERE.EXAMPLE:8080/AUTH/ME HTTP/1.1'],
    ['with a trailing slash', 'GET /auth/me/ HTTP/1.1'],
    ['with an empty query', 'GET /auth/me? HTTP/1.1'],
  ])('a request is served %s', async (_form, line) => {
    const reply = await rawRequest(server.url, { line, headers: [`X-API-Key: ${keyOf(user)}`] });
    expect(reply).toMatchObject({ status: 200, json: { user: { id: user.id } } });
  });

  it.each([
    'GET /nothing HTTP/1.1',
    'GET / HTTP/1.1',
    'GET //scans HTTP/1.1',
    'GET /scans// HTTP/1.1',
    'GET /api/v1 HTTP/1.1',
    'GET /api/v1/ HTTP/1.1',
    'GET /api/v1/api/v1/scans HTTP/1.1',
    'GET /api/v2/scans HTTP/1.1',
    'GET /scans/../auth/me HTTP/1.1',
    'GET /projects//inventory HTTP/1.1',
    'GET http://elsewhere.example HTTP/1.1',
    'OPTIONS * HTTP/1.1',
    'GET /__proto__ HTTP/1.1',
    'GET /constructor/prototype HTTP/1.1',
  ])('a request to a path that is not served is answered 404: %s', async (line) => {
    const reply = await rawRequest(server.url, { line });
    expect(reply).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } });
    expect(replyFaults(reply, null)).toEqual([]);
  });

  it.each(['TRACE', 'PROPFIND', 'OPTIONS', 'PATCH', 'DELETE'])(
    'a request with the method %s, which the path does not support, is answered 405',
    async (verb) => {
      const reply = await rawRequest(server.url, { line: `${verb} /scans HTTP/1.1` });
      expect(reply).toMatchObject({ status: 405, json: { code: 'METHOD_NOT_ALLOWED' } });
      expect(reply.json.detail).toBe(
        `The path does not support this method. Use one of: ${reply.headers.get('allow')}.`,
      );
      expect(reply.headers.get('allow')).toBe('GET, POST, HEAD');
      expect(replyFaults(reply, null)).toEqual([]);
    },
  );

  it('a HEAD request gets the headers of GET and no body, also for refusals', async () => {
    const ask = (path: string, method: string, headers = {}) =>
      rawRequest(server.url, {
        line: `${method} ${path} HTTP/1.1`,
        headers: Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      });
    for (const [path, headers] of [
      ['/auth/me', user.key],
      ['/auth/me', {}],
      ['/nothing', {}],
      ['/health/live', {}],
    ] as const) {
      const [head, get] = [await ask(path, 'HEAD', headers), await ask(path, 'GET', headers)];
      expect(head.status).toBe(get.status);
      expect(head.text).toBe('');
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    }
    expect((await ask('/preflight', 'HEAD')).status).toBe(405);
  });

  it.each([
    { 'x-http-method-override': 'DELETE' },
    { 'x-http-method': 'DELETE' },
    { 'x-method-override': 'DELETE' },
  ])('a request keeps its method when a header names another one: %o', async (headers) => {
    const name = `kept-${newId()}`;
    await server.call('/projects', { method: 'POST', headers: user.key, body: { name } });
    const reply = await server.call(`/projects/${name}?_method=DELETE`, {
      headers: { ...user.key, ...headers },
    });
    expect(reply.status).toBe(400);
    const read = await server.call(`/projects/${name}`, { headers: { ...user.key, ...headers } });
    expect(read.status).toBe(200);
  });

  it.each([
    '/scans/%',
    '/scans/%zz',
    '/scans/%e0%a4',
    '/projects/a%2',
    '/%zz',
    '/scans/%ff/rules',
    '/rules?category=%zz',
    '/nothing/%zz',
    '/findings?rule=%ff',
    '/findings?rule=a&rule=100%',
  ])('a path with an invalid percent escape is answered 400: %s', async (path) => {
    const reply = await rawRequest(server.url, {
      line: `GET ${path} HTTP/1.1`,
      headers: [`X-API-Key: ${keyOf(user)}`],
    });
    expect(reply).toMatchObject({ status: 400, json: { code: 'VALIDATION_FAILED' } });
  });

  it('an id with an escaped slash is answered like an unknown id', async () => {
    for (const path of ['/projects/a%2Finventory', '/scans/..%2f..%2fauth%2fme', '/scans/%2e%2e']) {
      const reply = await rawRequest(server.url, {
        line: `GET ${path} HTTP/1.1`,
        headers: [`X-API-Key: ${keyOf(user)}`],
      });
      expect(reply).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } });
    }
  });

  it('20 kB of request headers are answered 431', async () => {
    const reply = await rawRequest(server.url, {
      line: 'GET /auth/me HTTP/1.1',
      headers: [`X-Filler: ${'x'.repeat(20_000)}`],
    });
    expect(reply.status).toBe(431);
  });

  it.each([
    ['two lengths', ['Content-Length: 2', 'Content-Length: 3']],
    ['a length and chunks', ['Content-Length: 2', 'Transfer-Encoding: chunked']],
    ['a broken header', ['X-Broken : a']],
  ])(
    'a request with an ambiguous length or a malformed header (%s) is answered 400',
    async (_what, headers) => {
      const reply = await rawRequest(server.url, {
        line: 'POST /scans HTTP/1.1',
        headers,
        body: '{}',
      });
      expect(reply.status).toBe(400);
    },
  );

  it.each(['/auth/me', '/', '/console/'])(
    'a request of HTTP/1.1 without Host, or with two, is answered 400 with a problem: %s',
    async (path) => {
      const line = `GET ${path} HTTP/1.1`;
      for (const reply of [
        await rawRequest(server.url, { line, host: false }),
        await rawRequest(server.url, { line, headers: ['Host: other'] }),
      ]) {
        expect(reply).toMatchObject({ status: 400, json: { code: 'VALIDATION_FAILED' } });
        expect(reply.json.errors).toMatchObject([{ path: 'headers.host' }]);
        expect(reply.headers.get('x-correlation-id')).toBe(reply.json.correlationId);
      }
    },
  );

  it('a request of HTTP/1.0 needs no Host', async () => {
    const reply = await rawRequest(server.url, { line: 'GET /health/live HTTP/1.0', host: false });
    expect(reply.status).toBe(200);
  });

  it('CONNECT is answered 405 with a problem', async () => {
    const reply = await rawRequest(server.url, { line: 'CONNECT example.com:443 HTTP/1.1' });
    expect(reply).toMatchObject({ status: 405, json: { code: 'METHOD_NOT_ALLOWED' } });
    expect(reply.headers.get('allow')).toBe('');
  });
});

describe('a request with several faults', () => {
  const credential = () => [`X-API-Key: ${keyOf(user)}`];
  const doubled = ['X-Tenant-ID: a', 'X-Tenant-ID: b'];

  async function code(line: string, headers: readonly string[] = [], body?: string) {
    const request = { line: `${line} HTTP/1.1`, headers, ...(body === undefined ? {} : { body }) };
    const reply = await rawRequest(server.url, request);
    return `${reply.status} ${reply.json?.code}`;
  }

  it('a request with several faults is refused for the rate limit before every other fault', async () => {
    const ip = freshAddress();
    for (let count = 0; count < 20; count += 1) await server.call('/nothing', { ip });
    for (const [path, method, headers] of [
      ['/scans', 'GET', { ...user.key, 'x-tenant-id': 'a,b' }],
      ['/nothing', 'GET', {}],
      ['/scans/%zz', 'GET', {}],
      ['/scans', 'PATCH', {}],
      ['/scans', 'GET', user.key],
    ] as const) {
      expect((await server.call(path, { method, headers, ip })).json.code).toBe('RATE_LIMITED');
    }
  });

  it('a request with several faults is refused for a repeated header before the path and the credential', async () => {
    for (const line of ['GET /nothing', 'GET /scans/%zz', 'PATCH /scans', 'GET /scans']) {
      expect(await code(line, doubled)).toBe('400 VALIDATION_FAILED');
    }
  });

  it('a request with several faults is refused for the path and the method before the credential', async () => {
    expect(await code('GET /nothing')).toBe('404 NOT_FOUND');
    expect(await code('PATCH /scans')).toBe('405 METHOD_NOT_ALLOWED');
    expect(await code('GET /scans/%zz')).toBe('400 VALIDATION_FAILED');
  });

  it('a request with several faults is refused for the credential before the permission', async () => {
    expect(await code('GET /scans/not-an-id?surplus=1')).toBe('401 UNAUTHORIZED');
    expect(await code('POST /api-keys', ['Content-Length: 2'], 'no')).toBe('401 UNAUTHORIZED');
  });

  it('a request with several faults is refused for the kind of credential, then for the permission, before the id', async () => {
    const none = await server.people.user({ role: [] });
    const all = PERMISSIONS.filter((permission) => permission !== 'projects.write');
    const some = await server.people.user({ role: all });
    const length = ['Content-Type: text/plain', 'Content-Length: 2'];
    const key = (of: TestUser) => [`X-API-Key: ${keyOf(of)}`, ...length];
    expect(await code('POST /api-keys', key(none), 'no')).toBe('403 CREDENTIAL_NOT_ALLOWED');
    expect(await code('PUT /projects/NOT!/inventory', key(some), 'no')).toBe('403 FORBIDDEN');
    expect(await code('PUT /projects/NOT!/inventory', key(user), 'no')).toBe('404 NOT_FOUND');
  });

  it('a request with several faults is refused for the media type, then for the size, before the input', async () => {
    const large = 2 * 1024 * 1024;
    const body = 'x'.repeat(large);
    const sent = [...credential(), `Content-Length: ${large}`];
    expect(
      await code('POST /projects?surplus=1', [...sent, 'Content-Type: text/plain'], body),
    ).toBe('415 UNSUPPORTED_MEDIA_TYPE');
    expect(
      await code('POST /projects?surplus=1', [...sent, 'Content-Type: application/json'], body),
    ).toBe('413 PAYLOAD_TOO_LARGE');
  });

  it('a request with several faults is refused for the input before a missing resource, a conflict and a blocked preflight', async () => {
    const json = { method: 'POST', headers: user.key };
    const name = `taken-${newId()}`;
    await server.call('/projects', { ...json, body: { name } });
    const codeOf = async (path: string, body: unknown) =>
      (await server.call(path, { ...json, body })).json.code;
    expect(await codeOf('/projects', { name, surplus: 1 })).toBe('VALIDATION_FAILED');
    expect(await codeOf('/projects', { name })).toBe('CONFLICT');
    const scan = { projects: ['none'], profile: 'none' };
    expect(await codeOf('/scans?surplus=1', scan)).toBe('VALIDATION_FAILED');
    expect(await codeOf('/scans', scan)).toBe('PREFLIGHT_BLOCKED');
    const unknown = await server.call(`/scans/${newId()}?surplus=1`, { headers: user.key });
    expect(unknown.json.code).toBe('VALIDATION_FAILED');
  });
});

describe('a header that must be single', () => {
  it.each(['Authorization', 'X-API-Key', 'X-Master-Key', 'X-Tenant-ID', 'Idempotency-Key'])(
    'the header %s is refused when it is sent twice or with a comma, on public endpoints too',
    async (name) => {
      for (const headers of [
        [`${name}: a`, `${name.toUpperCase()}: a`],
        [`${name}: a,b`],
        [`${name}: a`, `${name}:`],
        [`${name}: ,`],
      ]) {
        for (const line of ['GET /scans HTTP/1.1', 'GET /docs HTTP/1.1', 'GET /no HTTP/1.1']) {
          const reply = await rawRequest(server.url, { line, headers });
          expect(reply).toMatchObject({
            status: 400,
            json: { errors: [{ path: `headers.${name.toLowerCase()}` }] },
          });
          expect(replyFaults(reply, null)).toEqual([]);
        }
      }
    },
  );
});

describe('the correlation id', () => {
  it.each(['a', 'A-b_c.9', 'x'.repeat(64)])(
    'the correlation id of the request is kept: %s',
    async (id) => {
      const headers = { 'x-correlation-id': id };
      for (const path of ['/nothing', '/scans', '/health/live']) {
        const reply = await server.call(path, { headers });
        expect(reply.headers.get('x-correlation-id')).toBe(id);
        if (reply.status >= 400) expect(reply.json.correlationId).toBe(id);
      }
    },
  );

  it.each([
    ['empty', ['X-Correlation-ID:']],
    ['too long', [`X-Correlation-ID: ${'x'.repeat(65)}`]],
    ['with a space', ['X-Correlation-ID: a b']],
    ['with markup', ['X-Correlation-ID: <script>']],
    ['with a quotation mark', ['X-Correlation-ID: a"b']],
    ['beyond ASCII', ['X-Correlation-ID: caf\u00e9']],
    ['doubled', ['X-Correlation-ID: a', 'X-Correlation-ID: b']],
  ])(
    'the correlation id is generated when the one in the request is %s',
    async (_what, headers) => {
      const reply = await rawRequest(server.url, { line: 'GET /nothing HTTP/1.1', headers });
      expect(reply.headers.get('x-correlation-id')).toMatch(
        /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
      );
      expect(reply.json.correlationId).toBe(reply.headers.get('x-correlation-id'));
    },
  );
});

describe('requests that the HTTP parser refuses', () => {
  it.each([
    [431, 'PAYLOAD_TOO_LARGE', [`X-Filler: ${'x'.repeat(20_000)}`]],
    [400, 'VALIDATION_FAILED', ['Broken']],
  ])(
    'a request that the HTTP parser refuses is answered with a problem and a correlation id (%i)',
    async (status, code, headers) => {
      const reply = await rawRequest(server.url, { line: 'GET /auth/me HTTP/1.1', headers });
      expect(reply.status).toBe(status);
      expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      const correlationId = reply.headers.get('x-correlation-id');
      expect(JSON.parse(reply.text)).toMatchObject({ code, status, correlationId });
    },
  );

  it('an unknown Expect header is ignored', async () => {
    const reply = await rawRequest(server.url, {
      line: 'GET /auth/me HTTP/1.1',
      headers: ['Expect: the unexpected'],
    });
    expect(reply.status).toBe(401);
  });
});

function keyOf(of: TestUser): string {
  return of.key['x-api-key'];
}
