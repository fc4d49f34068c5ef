import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { arrange, failureOf, SCAN_ID, scan } from '../conformance/arrange.ts';
import { createClient } from './client.ts';
import { ValidationError } from './errors.ts';

const EMPTY = { items: [], nextCursor: null };

describe('path parameters', () => {
  test('path parameters are percent-encoded, so a value stays within its segment', async () => {
    const { server, cspm } = await arrange();
    const id = 'a/../b?c=d#e%2Ff é';
    server.on(`GET /rules/${encodeURIComponent(id)}`, { body: { id } });
    await cspm.rules.get({ id });
    expect(server.requests[0]?.path).toBe(`/rules/${encodeURIComponent(id)}`);
  });

  test.each(['', '.', '..'])(
    'path parameters equal to %j are refused before sending, because they change the path',
    async (id) => {
      const { server, cspm } = await arrange();
      const error = await failureOf(cspm.rules.get({ id }), ValidationError);
      expect(error).toMatchObject({ code: 'VALIDATION_FAILED', attempts: [] });
      expect(server.requests).toEqual([]);
    },
  );

  test('path parameters are required before sending', async () => {
    const { server, cspm } = await arrange();
    await failureOf(cspm.rules.get({} as { id: string }), ValidationError);
    expect(server.requests).toEqual([]);
  });
});

describe('the flat input', () => {
  test('the flat input goes into the query of a GET: arrays repeat the name, undefined is omitted', async () => {
    const { server, cspm } = await arrange();
    server.on('GET /findings', { body: EMPTY });
    await cspm.findings.list({
      project: ['a', 'b'],
      severity: 'high',
      status: [],
      scan: undefined,
      limit: 5,
    });
    expect(server.requests[0]?.query.toString()).toBe('project=a&project=b&severity=high&limit=5');
  });

  test('the flat input goes into the body of a POST, without path parameters', async () => {
    const { server, cspm } = await arrange();
    server.on('POST /projects', { status: 201, body: {} });
    await cspm.projects.create({ name: 'shop-prod', description: undefined });
    expect(server.requests[0]).toMatchObject({ body: '{"name":"shop-prod"}' });
    expect(server.requests[0]?.headers['content-type']).toBe('application/json');
  });

  test('the input may be omitted when nothing is required', async () => {
    const { server, cspm } = await arrange();
    server.on('GET /auth/me', { body: { role: 'admin' } });
    expect(await cspm.auth.me()).toMatchObject({ role: 'admin' });
    expect(server.requests[0]?.headers['content-type']).toBeUndefined();
  });
});

describe('the base URL', () => {
  test.each(['', '/', '/api/v1', '/api/v1/'])('the base URL may end in %j', async (path) => {
    const { server, client } = await arrange();
    const prefix = path.replace(/\/$/, '');
    server.on(`GET ${prefix}/scans/${SCAN_ID}`, { body: scan() });
    await client({ baseUrl: server.url + path }).scans.get({ id: SCAN_ID });
    await client({ baseUrl: new URL(server.url + path) }).scans.get({ id: SCAN_ID });
  });

  test.each(['localhost', 'localhost:3000', '127.0.0.1:3000', 'ftp://example.com', ''])(
    'the base URL %j is refused by name when the client is created',
    (baseUrl) => {
      expect(() => createClient({ baseUrl })).toThrow(
        new TypeError(`baseUrl cannot be "${baseUrl}"`),
      );
    },
  );

  test('a missing base URL is refused, as when an environment variable is not set', () => {
    const { baseUrl = undefined as unknown as string } = {};
    expect(() => createClient({ baseUrl })).toThrow(new TypeError('baseUrl cannot be "undefined"'));
  });
});

describe('request headers', () => {
  test.each([
    ['x-api-key', { apiKey: 'cspm_…' }],
    ['x-api-key', { apiKey: 'cspm_first\nsecond' }],
    ['x-master-key', { masterKey: '„secret“', reason: 'test' }],
    ['x-break-glass-reason', { masterKey: 'm'.repeat(32), reason: 'INC-4711 – outage' }],
  ] as const)(
    'a key or a reason that no header can hold is refused without its value when the client is created: %s, %j',
    (name, credential) => {
      const create = () => createClient({ baseUrl: 'http://127.0.0.1:3000', ...credential });
      expect(create).toThrow(ValidationError);
      expect(create).toThrow(new RegExp(`^${name} cannot be sent$`));
    },
  );

  test.each([
    ['x-api-key', { credential: () => ({ apiKey: 'cspm_SECRET\nsecond' }) }],
    ['authorization', { session: { accessToken: 'SECRET\nsecond', refreshToken: 'r' } }],
  ] as const)(
    'a credential that no header can hold ends the call without a request, and its value is in no error and no log: %s',
    async (name, credential) => {
      const lines: unknown[] = [];
      const log = (...line: unknown[]) => lines.push(line);
      const logger = { debug: log, info: log, warn: log, error: log };
      const { server, cspm } = await arrange({ ...credential, logger });
      const error = await failureOf(cspm.scans.get({ id: SCAN_ID }), ValidationError);
      expect(error.message).toBe(`${name} cannot be sent`);
      expect(inspect([error, lines], { depth: 9 })).not.toContain('SECRET');
      expect(server.requests).toEqual([]);
    },
  );

  test('request headers name the tenant of the call rather than that of the client', async () => {
    const { server, cspm } = await arrange({ tenantId: 'of-client' });
    server.on(`GET /scans/${SCAN_ID}`, { body: scan() });
    await cspm.scans.get({ id: SCAN_ID });
    await cspm.scans.get({ id: SCAN_ID }, { tenantId: 'of-call' });
    expect(server.requests.map(({ headers }) => headers['x-tenant-id'])).toEqual([
      'of-client',
      'of-call',
    ]);
  });

  test("request headers include the caller's headers, which replace those of the client", async () => {
    const { server, cspm } = await arrange();
    server.on(`GET /scans/${SCAN_ID}`, { body: scan() });
    const headers = { 'X-Correlation-ID': 'mine', Accept: 'text/plain' };
    await cspm.scans.get({ id: SCAN_ID }, { headers });
    expect(server.requests[0]?.headers).toMatchObject({
      'x-correlation-id': 'mine',
      accept: 'text/plain',
    });
  });

  test.each([
    { headers: { 'x-team': 'x–y' } },
    { headers: { 'x-team': 'a\nb' } },
    { headers: { 'x team': 'a' } },
    { idempotencyKey: 'nightly – 2026' },
    { tenantId: '–' },
  ])(
    'request headers that cannot be sent are refused by name before sending: %j',
    async (options) => {
      const { server, cspm } = await arrange();
      const error = await failureOf(
        cspm.scans.launch({ projects: ['a'], profile: 'full' }, options),
        ValidationError,
      );
      expect(error).toMatchObject({ code: 'VALIDATION_FAILED', attempts: [] });
      expect(error.message).toMatch(/^(x-team|x team|idempotency-key|x-tenant-id) cannot be sent$/);
      expect(server.requests).toEqual([]);
    },
  );

  test('request headers include the reason with a master key', async () => {
    const { server, cspm } = await arrange({ masterKey: 'm'.repeat(32), reason: 'INC-4711' });
    server.on(`GET /scans/${SCAN_ID}`, { body: scan() });
    await cspm.scans.get({ id: SCAN_ID });
    expect(server.requests[0]?.headers).toMatchObject({
      'x-master-key': 'm'.repeat(32),
      'x-break-glass-reason': 'INC-4711',
    });
  });
});

test('a custom fetch is used, and the global fetch is looked up for each request', async () => {
  const { server, client } = await arrange();
  server.on(`GET /scans/${SCAN_ID}`, { body: scan() });
  const seen: string[] = [];
  const own: typeof fetch = (input, init) => {
    seen.push(String(input));
    return fetch(input, init);
  };
  await client({ fetch: own }).scans.get({ id: SCAN_ID });
  expect(seen).toEqual([`${server.url}/scans/${SCAN_ID}`]);
});

test('fetch is called as a function, as browsers require', async () => {
  const { server, client } = await arrange();
  server.on(`GET /scans/${SCAN_ID}`, { body: scan() });
  function strict(this: unknown, ...how: Parameters<typeof fetch>) {
    expect(this).toBeUndefined();
    return fetch(...how);
  }
  await client({ fetch: strict }).scans.get({ id: SCAN_ID });
});
