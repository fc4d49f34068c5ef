import { describe, expect, test } from 'vitest';
import { arrange, SCAN_ID, scan } from '../conformance/arrange.ts';
import { expired, GET, guarded, REFRESH, rotate, session } from '../conformance/session-steps.ts';
import { NotFoundError } from './errors.ts';

const PROJECTS = 'GET /projects';
const none = { body: { items: [], nextCursor: null } };

describe('a derived client', () => {
  test('a derived client has its own options and keeps the others of its client', async () => {
    const { server, cspm } = await arrange({ tenantId: 't1', headers: { 'x-a': '1', 'x-b': '1' } });
    server.on(PROJECTS, none);
    await cspm.withOptions({ headers: { 'x-b': '2' }, tenantId: 't2' }).projects.list();
    await cspm.projects.list();
    expect(server.requests.map(({ headers }) => [headers['x-tenant-id'], headers['x-b']])).toEqual([
      ['t2', '2'],
      ['t1', '1'],
    ]);
  });

  test('a derived client shares the session: a renewed token applies to all', async () => {
    const { server, cspm } = await arrange({ session });
    server.on(GET, guarded(2));
    server.on(REFRESH, rotate);
    const patient = cspm.withOptions({ timeoutMs: 300_000 }).withOptions({ retry: false });
    await Promise.all([patient.scans.get({ id: SCAN_ID }), cspm.scans.get({ id: SCAN_ID })]);
    await patient.scans.get({ id: SCAN_ID });
    expect(server.to(REFRESH)).toHaveLength(1);
  });

  test('a derived client can wait for scans', async () => {
    const { server, cspm } = await arrange();
    server.on(GET, { body: scan({ status: 'completed' }) });
    const done = await cspm.withOptions({ tenantId: 't' }).scans.wait(SCAN_ID);
    expect(done.status).toBe('completed');
  });
});

describe('headers of a client', () => {
  test('headers of a client are sent with each call; those of a call take precedence, and neither replaces the credential', async () => {
    const { server, cspm } = await arrange({ headers: { 'X-Team': 'a', 'X-API-Key': 'forged' } });
    server.on(PROJECTS, none);
    await cspm.projects.list({}, { headers: { 'x-team': 'b' } });
    await cspm.projects.list();
    expect(server.requests.map(({ headers }) => headers['x-team'])).toEqual(['b', 'a']);
    for (const { headers } of server.requests) expect(headers['x-api-key']).toMatch(/^cspm_test/);
  });

  test('the headers of a client name the version of the SDK and the runtime', async () => {
    const { server, cspm } = await arrange();
    server.on(PROJECTS, none);
    await cspm.projects.list();
    await cspm.projects.list({}, { headers: { 'user-agent': 'shop/2' } });
    const [first, second] = server.requests.map(({ headers }) => headers['user-agent']);
    expect(first).toMatch(/^cspm-sdk\/\d+\.\d+\.\d+ \(Node\.js/);
    expect(second).toBe('shop/2');
  });
});

describe('a credential that is supplied by a function', () => {
  test('a credential that is supplied by a function is requested once by concurrent calls, and kept', async () => {
    let asked = 0;
    const credential = async () => {
      asked += 1;
      return { apiKey: `cspm_supplied${asked}` };
    };
    const { server, cspm } = await arrange({ credential });
    server.on(PROJECTS, none);
    await Promise.all([cspm.projects.list(), cspm.projects.list()]);
    await cspm.projects.list();
    const keys = server.requests.map(({ headers }) => headers['x-api-key']);
    expect(keys).toEqual(['cspm_supplied1', 'cspm_supplied1', 'cspm_supplied1']);
  });

  test('a credential that is supplied by a function is requested again after a 401, once for all refused calls, which are sent again', async () => {
    const supplied = ['a1', 'a2'];
    const { server, cspm } = await arrange({
      credential: () => ({ accessToken: supplied.shift() ?? '' }),
    });
    server.on(GET, ({ headers }) =>
      headers.authorization === 'Bearer a2' ? { body: scan() } : expired,
    );
    await Promise.all([cspm.scans.get({ id: SCAN_ID }), cspm.scans.get({ id: SCAN_ID })]);
    expect(supplied).toEqual([]);
    expect(server.to(GET)).toHaveLength(4);
  });

  test('a failing credential function ends the waiting calls, and is called again by the next one', async () => {
    const answers: (() => { apiKey: string })[] = [
      () => {
        throw new Error('the vault is sealed');
      },
      () => ({ apiKey: 'cspm_k' }),
    ];
    const { server, cspm } = await arrange({
      credential: async () => (answers.shift() as () => { apiKey: string })(),
    });
    server.on(PROJECTS, none);
    await expect(cspm.projects.list()).rejects.toThrow('the vault is sealed');
    expect(server.requests).toHaveLength(0);
    expect((await cspm.projects.list()).items).toEqual([]);
  });
});

describe('request', () => {
  test('the method request calls an endpoint of this version like its own method, with its parameters, query and retries', async () => {
    const { server, cspm } = await arrange();
    server.on(GET, 'reset', { body: scan({ status: 'completed' }) });
    const { status } = await cspm.request('GET /scans/{id}', { id: SCAN_ID });
    expect(status).toBe('completed');
    server.on(PROJECTS, { body: { items: [{ name: 'a' }], nextCursor: null } });
    const names: string[] = [];
    for await (const { name } of cspm.request('GET /projects', { limit: 5 })) names.push(name);
    expect([names, server.to(PROJECTS)[0]?.query.get('limit')]).toEqual([['a'], '5']);
    server.on('POST /scans', 'reset', { status: 202, body: scan() });
    await cspm.request('POST /scans', { projects: ['a'], profile: 'full' });
    const keys = server.to('POST /scans').map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });

  test('the method request repeats a GET of an unknown endpoint, and nothing else', async () => {
    const { server, cspm } = await arrange();
    server.on('GET /things/a%20b', 'reset', { body: { size: 1 } });
    expect(await cspm.request('GET /things/{id}', { id: 'a b', sort: ['x', 'y'] })).toEqual({
      size: 1,
    });
    expect(server.to('GET /things/a%20b')[1]?.query.toString()).toBe('sort=x&sort=y');
    server.on('POST /things', 'reset', { body: {} });
    const lost = cspm.request('POST /things', { name: 'n' });
    await expect(lost).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(server.to('POST /things').map(({ body }) => body)).toEqual(['{"name":"n"}']);
    await expect(cspm.request('DELETE /things/{id}', { id: 'x' })).rejects.toThrow(NotFoundError);
  });
});

test('a page names the version of the SDK in X-SDK-Version, because it cannot set User-Agent', async () => {
  const { server, cspm } = await arrange();
  server.on('GET /projects', none);
  const { navigator } = globalThis;
  Object.defineProperty(globalThis, 'navigator', {
    value: { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' },
    configurable: true,
    writable: true,
  });
  try {
    await cspm.projects.list();
  } finally {
    Object.defineProperty(globalThis, 'navigator', {
      value: navigator,
      configurable: true,
      writable: true,
    });
  }
  const [{ headers = {} } = {}] = server.requests;
  expect(headers['x-sdk-version']).toMatch(/^\d+\.\d+\.\d+$/);
  expect(`${headers['user-agent']}`).not.toContain('cspm-sdk');
});

describe('a base URL', () => {
  test('a base URL in a page may be a path, and gets the origin of the page', async () => {
    const { server, client } = await arrange();
    server.on('GET /api/projects', none);
    Object.assign(globalThis, { location: new URL(`${server.url}/console/`) });
    try {
      await client({ baseUrl: '/api' }).projects.list();
      expect(server.requests.map(({ path }) => path)).toEqual(['/api/projects']);
    } finally {
      Reflect.deleteProperty(globalThis, 'location');
    }
    expect(() => client({ baseUrl: '/api' })).toThrow(TypeError);
  });
});
