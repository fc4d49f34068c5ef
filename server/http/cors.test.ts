import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawRequest } from '../../tests/kit/raw-request.ts';
import { freshAddress, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';

const ORIGIN = 'https://console.example.com';
const OTHER = 'http://localhost:5173';
const DOCUMENT = new URL('../../openapi.json', import.meta.url);

/** Headers of break-glass, and of the session cookie of the console. */
const NOT_FOR_PAGES = ['x-master-key', 'x-break-glass-reason', 'x-session-transport'];

/** A parameter or a security scheme of the document. */
interface Parameter {
  readonly in?: string;
  readonly name: string;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
}

interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, unknown>>;
}

describe('a page of another origin', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({
      config: { corsOrigins: [ORIGIN, OTHER], rateLimit: 3, production: true },
    });
  });

  afterAll(() => server.close());

  it.each([ORIGIN, OTHER])(
    'a page of a listed origin may read every response, errors included: %s',
    async (origin) => {
      for (const path of ['/health/live', '/scans', '/nothing', '/scans/%zz']) {
        const { headers } = await server.call(path, { headers: { origin } });
        expect(headers.get('access-control-allow-origin')).toBe(origin);
        expect(headers.get('vary')).toContain('Origin');
        expect(headers.has('access-control-allow-credentials')).toBe(false);
      }
    },
  );

  it('a page of a listed origin may read all headers that the service adds', async () => {
    const user = await server.people.user();
    const replies = [
      await server.call('/scans', { headers: { origin: ORIGIN, ...user.key } }),
      await server.call('/scans', { headers: { origin: ORIGIN } }),
    ];
    for (const { headers } of replies) {
      const exposed = (headers.get('access-control-expose-headers') ?? '')
        .toLowerCase()
        .split(', ');
      for (const name of ['x-correlation-id', 'x-tenant-id', 'ratelimit', 'ratelimit-policy']) {
        if (headers.has(name)) expect(exposed).toContain(name);
      }
      for (const name of [
        'allow',
        'retry-after',
        'idempotency-replayed',
        'location',
        'www-authenticate',
      ]) {
        expect(exposed).toContain(name);
      }
    }
  });

  it.each([
    'null',
    'https://console.example.com.evil.example',
    'https://evil-console.example.com',
    'https://evil.console.example.com',
    'https://example.com',
    'http://console.example.com',
    'https://console.example.com:8443',
    'https://CONSOLE.example.com',
    'https://console.example.com/',
    `${ORIGIN} ${OTHER}`,
    '*',
    '',
  ])('a page of an origin that is not listed may read nothing: "%s"', async (origin) => {
    const line = 'OPTIONS /scans HTTP/1.1';
    const headers = [`Origin: ${origin}`, 'Access-Control-Request-Method: POST'];
    const preflight = await rawRequest(server.url, { line, headers });
    const plain = await server.call('/scans', { headers: { origin } });
    for (const reply of [preflight, plain]) {
      for (const name of reply.headers.keys()) expect(name).not.toMatch(/^access-control-/);
      expect(reply.headers.get('vary')).toContain('Origin');
    }
    expect(preflight.status).toBe(405);
  });

  it('a preflight allows a page all request headers except the master key and the session transport', async () => {
    const { status, headers, text } = await server.call('/scans', {
      method: 'OPTIONS',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-master-key, authorization',
      },
    });
    expect(status).toBe(204);
    expect(text).toBe('');
    const allowed = (headers.get('access-control-allow-headers') ?? '').toLowerCase().split(', ');
    expect(allowed).toEqual(
      expect.arrayContaining(['authorization', 'x-api-key', 'idempotency-key', 'x-tenant-id']),
    );
    expect(allowed).not.toContain('x-master-key');
    expect(allowed).not.toContain('x-break-glass-reason');
    expect(allowed).not.toContain('x-session-transport');
    expect(allowed).not.toContain('*');
    expect(headers.get('access-control-allow-methods')?.split(', ')).toEqual(
      expect.arrayContaining(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-correlation-id')).toBeTruthy();
  });

  it('a preflight allows every request header of the OpenAPI document that pages may send, and the trace context', async () => {
    const { headers } = await server.call('/scans', {
      method: 'OPTIONS',
      headers: { origin: ORIGIN, 'access-control-request-method': 'POST' },
    });
    const allowed = (headers.get('access-control-allow-headers') ?? '').toLowerCase().split(', ');
    const document = JSON.parse(await readFile(DOCUMENT, 'utf8'));
    const { parameters, securitySchemes } = document.components;
    const operations: Operation[] = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods as Record<string, Operation>),
    );
    const named: Parameter[] = [
      ...Object.values<Parameter>(parameters),
      ...Object.values<Parameter>(securitySchemes),
      ...operations.flatMap(({ parameters: own }) => own ?? []),
    ];
    const names = named.flatMap((one) => (one.in === 'header' ? one.name.toLowerCase() : []));
    expect(new Set(names).size).toBeGreaterThan(8);
    const forPages = new Set(names.filter((name) => !NOT_FOR_PAGES.includes(name)));
    expect(
      [...forPages, 'traceparent', 'tracestate'].filter((one) => !allowed.includes(one)),
    ).toEqual([]);
  });

  it('exposes every response header of the OpenAPI document except Set-Cookie, and Date for the waits of the SDK', async () => {
    const { headers } = await server.call('/health/live', { headers: { origin: ORIGIN } });
    const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ');
    const document = JSON.parse(await readFile(DOCUMENT, 'utf8'));
    const operations = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods as Record<string, { responses?: Record<string, DocumentedResponse> }>),
    );
    const responses: DocumentedResponse[] = [
      ...Object.values<DocumentedResponse>(document.components.responses),
      ...operations.flatMap(({ responses: own }) => Object.values(own ?? {})),
    ];
    const names = new Set(
      responses
        .flatMap(({ headers: own }) => Object.keys(own ?? {}))
        .map((one) => one.toLowerCase()),
    );
    expect(names.size).toBeGreaterThan(8);
    names.delete('set-cookie');
    expect([...names, 'date'].filter((one) => !exposed.includes(one))).toEqual([]);
  });

  it('a preflight allows every header that the SDK sends from a browser', async () => {
    const { headers } = await server.call('/scans', {
      method: 'OPTIONS',
      headers: { origin: ORIGIN, 'access-control-request-method': 'POST' },
    });
    const allowed = (headers.get('access-control-allow-headers') ?? '').toLowerCase().split(', ');
    const sent = ['authorization', 'content-encoding', 'content-type', 'idempotency-key'];
    const ofClient = ['last-event-id', 'x-api-key', 'x-retry-attempt', 'x-sdk-version'];
    expect(allowed).toEqual(expect.arrayContaining([...sent, ...ofClient, 'x-tenant-id']));
  });

  it('requests of a page count against the rate limits, but preflights do not', async () => {
    const ip = freshAddress();
    const preflight = { origin: ORIGIN, 'access-control-request-method': 'POST' };
    for (let count = 0; count < 10; count += 1) {
      const reply = await server.call('/scans', { method: 'OPTIONS', headers: preflight, ip });
      expect(reply.status).toBe(204);
      expect(reply.headers.has('ratelimit')).toBe(false);
    }
    const ask = () => server.call('/scans', { headers: { origin: ORIGIN }, ip });
    for (let count = 0; count < 3; count += 1) expect((await ask()).status).toBe(401);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After');
  });

  it('a preflight is answered without checking credentials', async () => {
    const reply = await server.call('/scans', {
      method: 'OPTIONS',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'GET',
        authorization: 'Bearer not one',
      },
    });
    expect(reply.status).toBe(204);
  });
});

describe('a server without listed origins', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterAll(() => server.close());

  it('a server without listed origins lets no page of another origin read anything', async () => {
    for (const method of ['GET', 'OPTIONS']) {
      const reply = await server.call('/scans', {
        method,
        headers: { origin: 'http://localhost:5173', 'access-control-request-method': 'GET' },
      });
      for (const name of reply.headers.keys()) expect(name).not.toMatch(/^access-control-/);
    }
  });
});
