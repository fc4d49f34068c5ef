import { ApiError, type ClientOptions, createClient } from '@cspm/sdk';
import { MOCK_KEYS, MOCK_SIGN_IN, operationsOf } from '@cspm/sdk/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import openapi from '../../openapi.json' with { type: 'json' };
import { type Mock, type MockOptions, startMock } from './server.ts';

const ADMIN = { email: 'admin@example.com', password: MOCK_SIGN_IN.password };

describe('the mock server', () => {
  const mocks: Mock[] = [];
  let now = Date.parse('2026-11-20T08:00:00Z');
  let url: string;

  async function start(options: Partial<MockOptions> = {}): Promise<string> {
    const mock = await startMock({
      document: openapi,
      host: '127.0.0.1',
      port: 0,
      rateLimit: 10_000,
      accessSeconds: 900,
      scanSeconds: 5,
      features: [],
      now: () => now,
      ...options,
    });
    mocks.push(mock);
    return mock.url;
  }

  const client = (options: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl: url, apiKey: MOCK_KEYS.admin, ...options } as ClientOptions);

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': MOCK_KEYS.admin, ...headers },
      body: JSON.stringify(body),
    });

  beforeAll(async () => {
    url = await start();
  });

  afterAll(async () => {
    for (const mock of mocks) await mock.stop();
  });

  it('the mock server answers every read without path parameters with its example', async () => {
    const operations = operationsOf(openapi).filter(
      ({ method, path, permissions }) =>
        method === 'GET' &&
        !path.includes('{') &&
        !permissions.some((one) => one.startsWith('admin.')),
    );
    expect(operations.length).toBeGreaterThan(10);
    for (const { path, feature, credentials } of operations) {
      // Sign-ins at an identity provider answer with a redirect.
      const redirects = /^\/auth\/(saml|google\/login)/.test(path);
      if (feature !== null || redirects) continue;
      const signedIn = credentials !== 'public' && !credentials.includes('api_key');
      if (signedIn) continue;
      const query = requiredQueryOf(path);
      const answer = await fetch(url + path + query, { headers: { 'x-api-key': MOCK_KEYS.admin } });
      expect({ [path]: answer.status }).toEqual({ [path]: 200 });
    }
  });

  it('the mock server queues, runs and completes a scan, and the SDK can wait for it', async () => {
    const cspm = client();
    const { id, status } = await cspm.scans.launch({ projects: ['shop-prod'], profile: 'full' });
    expect(status).toBe('queued');
    now += 3_000;
    expect((await cspm.scans.get({ id })).status).toBe('running');
    now += 3_000;
    const done = await cspm.scans.wait(id);
    expect(done.status).toBe('completed');
    expect(done.totals.assets).toBeGreaterThan(0);
  });

  it('the mock server lists findings over several pages', async () => {
    const severities = new Set<string>();
    let count = 0;
    for await (const finding of client().findings.list({ project: ['shop-prod'], limit: 25 })) {
      severities.add(finding.severity);
      count += 1;
    }
    expect(count).toBe(60);
    expect(severities.size).toBe(5);
  });

  it('the mock server enforces the policy of each operation: 401, 403, 404, 405, 400 and 415', async () => {
    expect((await fetch(`${url}/scans`)).status).toBe(401);
    const bearer = { authorization: `Bearer ${MOCK_KEYS.admin}` };
    const keyAsBearer = await fetch(`${url}/scans`, { headers: bearer });
    expect(keyAsBearer.status).toBe(401);
    expect((await keyAsBearer.json()).detail).toContain('X-API-Key');
    const viewer = await post('/projects', { name: 'x' }, { 'x-api-key': MOCK_KEYS.viewer });
    expect(await viewer.json()).toMatchObject({ code: 'FORBIDDEN', permission: 'projects.write' });
    const rules = await fetch(`${url}/custom-rules`, { headers: { 'x-api-key': MOCK_KEYS.admin } });
    expect(await rules.json()).toMatchObject({
      code: 'FEATURE_NOT_LICENSED',
      feature: 'custom_rules',
    });
    const roles = await post('/roles', { name: 'x', permissions: [] });
    expect(await roles.json()).toMatchObject({ code: 'MFA_REQUIRED' });
    expect((await fetch(`${url}/nothing`)).status).toBe(404);
    const wrongVerb = await fetch(`${url}/api/v1/SCANS/`, { method: 'DELETE' });
    expect([wrongVerb.status, wrongVerb.headers.get('allow')]).toEqual([405, 'GET, POST, HEAD']);
    const invalid = await post('/scans', { projects: [], profil: 'full' });
    expect(invalid.status).toBe(400);
    const { errors } = await invalid.json();
    expect(errors.map((fault: { path: string }) => fault.path)).toEqual(
      expect.arrayContaining(['body.projects', 'body.profil']),
    );
    const text = await post('/scans', {}, { 'content-type': 'text/plain' });
    expect(text.status).toBe(415);
    const unknownQuery = await fetch(`${url}/scans?colour=red`, {
      headers: { 'x-api-key': MOCK_KEYS.admin },
    });
    expect(unknownQuery.status).toBe(400);
  });

  it('the mock server replays the response to an Idempotency-Key, and answers 422 for another payload', async () => {
    const key = { 'idempotency-key': 'launch-1' };
    const body = { projects: ['shop-prod'], profile: 'full' };
    const first = await (await post('/scans', body, key)).json();
    const again = await post('/scans', body, { 'idempotency-key': '"launch-1"' });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await again.json()).id).toBe(first.id);
    expect((await post('/scans', { ...body, profile: 'iam' }, key)).status).toBe(422);
  });

  it('the mock server enforces the rate limits of the document and reports them in headers', async () => {
    url = await start({ rateLimit: 60 });
    const answers = [];
    for (let calls = 0; calls < 11; calls += 1) {
      answers.push(await post('/preflight', { projects: ['shop-prod'], profile: 'full' }));
    }
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(200), 429]);
    const refused = answers.at(-1);
    expect(refused?.headers.get('ratelimit')).toBe('"default";r=49;t=60, "preflight";r=0;t=60');
    expect(refused?.headers.get('retry-after')).toBe('60');
    expect(await refused?.json()).toMatchObject({ code: 'RATE_LIMITED', limit: 'preflight' });
    now += 60_000;
    expect((await post('/preflight', { projects: ['shop-prod'], profile: 'full' })).status).toBe(
      200,
    );
    url = await start();
  });

  it('the mock server signs in with a second factor and refreshes expired tokens', async () => {
    const signIn = client({ apiKey: undefined } as Partial<ClientOptions>);
    const missing = signIn.auth.login(ADMIN);
    await expect(missing).rejects.toMatchObject({ code: 'TOTP_REQUIRED' });
    await signIn.auth.login({ ...ADMIN, totp: MOCK_SIGN_IN.code });
    expect((await signIn.auth.me()).role).toBe('admin');
    now += 901_000;
    expect((await signIn.auth.me()).role).toBe('admin');
    await signIn.roles.create({ name: 'auditor', permissions: ['scans.read'] });
  });

  it('the mock server ends the session when a used refresh token is sent again', async () => {
    const login = await post('/auth/login', { ...ADMIN, totp: MOCK_SIGN_IN.code });
    const { refreshToken } = await login.json();
    const renewed = await (await post('/auth/refresh', { refreshToken })).json();
    now += 60_000;
    expect((await post('/auth/refresh', { refreshToken })).status).toBe(401);
    const after = await post('/auth/refresh', { refreshToken: renewed.refreshToken });
    expect(after.status).toBe(401);
  });

  it('the mock server blocks a scan of an unknown project with PREFLIGHT_BLOCKED', async () => {
    const launch = client().scans.launch({ projects: ['nowhere'], profile: 'full' });
    const error = await launch.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'PREFLIGHT_BLOCKED' });
  });
});

/** The required query parameters of a GET, each with the first value that the document allows. */
function requiredQueryOf(path: string): string {
  const { parameters = [] } = (openapi as unknown as { paths: Record<string, { get: Listed }> })
    .paths[path]?.get ?? { parameters: [] };
  const required = parameters.filter((one) => one.in === 'query' && one.required === true);
  const values = required.map(({ name, schema }) => [name, schema?.enum?.[0] ?? '']);
  return values.length === 0 ? '' : `?${new URLSearchParams(values)}`;
}

interface Listed {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: { readonly enum?: readonly string[] };
  }[];
}
