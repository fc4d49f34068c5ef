import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ApiError, createClient, PreflightBlockedError, RateLimitError } from '../index.ts';
import { ANSWERS } from '../schemas/answers.gen.ts';
import { createClient as createValidatingClient } from '../schemas/index.ts';
import { FACTORY_EXAMPLES, OPERATIONS } from './examples.gen.ts';
import { MOCK_KEYS, MOCK_SIGN_IN, make, mockCspm } from './index.ts';

const baseUrl = 'https://cspm.example.com/api';
const ADMIN = { email: 'admin@example.com', password: MOCK_SIGN_IN.password };

describe('@cspm/sdk/testing', () => {
  let now = Date.parse('2026-11-20T08:00:00Z');
  const mock = mockCspm({ baseUrl, rateLimit: 1000, now: () => now });
  const server = setupServer(...mock.handlers);
  const options = { baseUrl, apiKey: MOCK_KEYS.admin, pacing: 'off', retry: false } as const;
  const cspm = createClient(options);
  const { apiKey: _, ...withoutKey } = options;
  const anybody = createClient(withoutKey);
  const signIn = () => anybody.auth.login({ ...ADMIN, totp: MOCK_SIGN_IN.code });

  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  afterEach(() => mock.reset());
  afterAll(() => server.close());

  it('@cspm/sdk/testing answers every operation without parameters in the format of the contract', async () => {
    const valid = createValidatingClient({ ...options, validateResponses: true });
    const reads = OPERATIONS.filter(
      ({ method, path, id }) =>
        method === 'GET' && !path.includes('{') && `GET ${path}` in ANSWERS && id !== 'metaOpenapi',
    );
    expect(reads.length).toBeGreaterThan(15);
    for (const { path, feature, mfa, credentials, parameters } of reads) {
      const isForKeys = credentials === 'public' || credentials.includes('api_key');
      if (!isForKeys || feature !== null || mfa || parameters.some(({ required }) => required))
        continue;
      const route = `GET ${path}` as 'GET /projects';
      await expect(valid.request(route), path).resolves.toBeDefined();
    }
  });

  it.each([
    ['ndjson', 'application/x-ndjson', /^\{.*\}$/m],
    ['sarif', 'application/sarif+json', /^\{.*"runs":/],
    ['csv', 'text/csv', /^"id",/],
  ] as const)('@cspm/sdk/testing exports findings as %s', async (format, type, content) => {
    const url = `${baseUrl}/findings/export?format=${format}`;
    const response = await fetch(url, { headers: { 'x-api-key': MOCK_KEYS.admin } });
    expect(response.headers.get('content-type')).toBe(type);
    expect(await response.text()).toMatch(content);
  });

  it('@cspm/sdk/testing keeps projects and scans, and gives lists page by page', async () => {
    await cspm.projects.create({ name: 'shop' });
    await cspm.projects.uploadInventory({ name: 'shop', inventory: '{}\n' });
    const { id, status } = await cspm.scans.launch({ projects: ['shop'], profile: 'full' });
    expect(status).toBe('queued');
    now += 60_000;
    expect((await cspm.scans.get({ id })).status).toBe('completed');
    expect(await cspm.findings.list({ limit: 25 }).toArray()).toHaveLength(60);
    const high = await cspm.findings.list({ severity: 'high' }).toArray();
    expect(new Set(high.map(({ severity }) => severity))).toEqual(new Set(['high']));
  });

  it('@cspm/sdk/testing follows a scan by its events', async () => {
    const { id } = await cspm.scans.launch({ projects: ['shop-prod'], profile: 'full' });
    now += 60_000;
    const seen: string[] = [];
    for await (const { event } of cspm.scans.events({ id })) seen.push(event);
    expect(seen).toEqual(['done']);
  });

  it('@cspm/sdk/testing limits requests with the headers of the service', async () => {
    const input = { projects: ['shop-prod'], profile: 'full' };
    const calls = Array.from({ length: 10 }, () => cspm.preflight.run(input));
    await Promise.all(calls);
    const refused = cspm.preflight.run(input);
    const error = (await refused.catch((reason: unknown) => reason)) as RateLimitError;
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error.retryAfterMs).toBeGreaterThan(0);
    expect(error.rateLimit.map(({ name }) => name)).toContain('preflight');
    now += 60_000;
    await cspm.preflight.run(input);
  });

  it('@cspm/sdk/testing replays a response under its Idempotency-Key, and refuses the key with other input', async () => {
    const key = { idempotencyKey: 'create-1' };
    const first = await cspm.projects.create({ name: 'a' }, key);
    const second = await cspm.projects.create({ name: 'a' }, key).withResponse();
    expect(second.data).toEqual(first);
    expect(second.response.headers.get('idempotency-replayed')).toBe('true');
    await expect(cspm.projects.create({ name: 'b' }, key)).rejects.toMatchObject({
      name: 'IdempotencyError',
      code: 'IDEMPOTENCY_KEY_MISMATCH',
    });
  });

  it('@cspm/sdk/testing replays a response for members in another order, and refuses the key for another resource', async () => {
    const key = { idempotencyKey: 'create-4' };
    await cspm.projects.create({ name: 'a', description: 'b' }, key);
    const second = await cspm.projects.create({ description: 'b', name: 'a' }, key).withResponse();
    expect(second.response.headers.get('idempotency-replayed')).toBe('true');
    const [one, other] = [1, 2].map((n) => `0199c2a4-9b60-7d41-a3f2-58c1e7d90b3${n}`);
    await cspm.webhooks.test({ id: `${one}` }, key);
    await expect(cspm.webhooks.test({ id: `${other}` }, key)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_MISMATCH',
    });
  });

  it('@cspm/sdk/testing replays a response for each credential of the same user', async () => {
    const { accessToken } = await signIn();
    const key = { idempotencyKey: 'create-2' };
    await cspm.projects.create({ name: 'a' }, key);
    const inSession = createClient({ ...withoutKey, credential: () => ({ accessToken }) });
    const second = await inSession.projects.create({ name: 'a' }, key).withResponse();
    expect(second.response.headers.get('idempotency-replayed')).toBe('true');
  });

  it('@cspm/sdk/testing forgets an Idempotency-Key after 24 hours', async () => {
    const key = { idempotencyKey: 'create-3' };
    await cspm.projects.create({ name: 'a' }, key);
    now += 24 * 3600 * 1000;
    expect((await cspm.projects.create({ name: 'b' }, key)).name).toBe('b');
  });

  it('@cspm/sdk/testing refuses a sign-in with a recovery code', async () => {
    const login = anybody.auth.login({ ...ADMIN, recoveryCode: 'abcde-fghij' });
    await expect(login).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
  });

  it.each([
    ['the last used one', 1, 200],
    ['an older one', 0, 401],
  ])(
    '@cspm/sdk/testing ends a session by a used refresh token if it is not the last: %s',
    async (_which, used, status) => {
      const { refreshToken: oldest } = await signIn();
      const { refreshToken: last } = await anybody.auth.refresh({ refreshToken: oldest });
      const { refreshToken } = await anybody.auth.refresh({ refreshToken: last });
      const reuse = anybody.auth.refresh({ refreshToken: [oldest, last][used] });
      await expect(reuse).rejects.toMatchObject({ status: 401 });
      const next = await anybody.auth.refresh({ refreshToken }).then(
        () => 200,
        (error: ApiError) => error.status,
      );
      expect(next).toBe(status);
    },
  );

  it('@cspm/sdk/testing names HEAD among the allowed methods of what can be read', async () => {
    const allowedAt = async (path: string, method: string) =>
      (await fetch(baseUrl + path, { method })).headers.get('allow');
    expect(await allowedAt('/scans', 'PATCH')).toBe('GET, POST, HEAD');
    expect(await allowedAt('/auth/login', 'GET')).toBe('POST');
  });

  it('@cspm/sdk/testing refuses by credential, permission and second factor', async () => {
    const viewer = createClient({ ...options, apiKey: MOCK_KEYS.viewer });
    await expect(viewer.projects.create({ name: 'a' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    const nobody = createClient({ ...options, apiKey: 'cspm_wrong' });
    await expect(nobody.projects.list()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    const admin = createClient({
      baseUrl,
      onStepUp: () => MOCK_SIGN_IN.code,
    });
    const login = { email: 'admin@example.com', password: MOCK_SIGN_IN.password };
    await expect(admin.auth.login(login)).rejects.toMatchObject({ code: 'TOTP_REQUIRED' });
    await admin.auth.login({ ...login, totp: MOCK_SIGN_IN.code });
    expect((await admin.auth.me()).user?.email).toBe(login.email);
  });

  it('@cspm/sdk/testing refuses the next call with a problem given by its code, and serves the one after that', async () => {
    const launch = () => cspm.scans.launch({ projects: ['shop-prod'], profile: 'full' });
    mock.refuse('scansLaunch', 'PREFLIGHT_BLOCKED');
    const error = await launch().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PreflightBlockedError);
    expect((error as PreflightBlockedError).problem?.checks?.length).toBeGreaterThan(0);
    await launch();
    mock.refuse('scansLaunch', 'SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '7' } });
    await expect(launch()).rejects.toMatchObject({ status: 503, retryAfterMs: 7000 });
  });

  it('@cspm/sdk/testing answers the next calls with given data', async () => {
    const data = { items: [make.rule({ id: 'my-rule' })], nextCursor: null };
    mock.answer('rulesList', data, { times: 2 });
    for (const expected of ['my-rule', 'my-rule']) {
      expect((await cspm.rules.list()).items[0]?.id).toBe(expected);
    }
    expect((await cspm.rules.list()).items[0]?.id).not.toBe('my-rule');
  });

  it('@cspm/sdk/testing refuses a query that the contract does not have', async () => {
    const call = cspm.request('GET /findings', { sverity: 'high' } as never);
    await expect(call).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('@cspm/sdk/testing creates objects that match the contract, each a new one', () => {
    for (const name of Object.keys(FACTORY_EXAMPLES) as (keyof typeof make)[]) {
      expect(Object.keys(make[name]()).length, name).toBeGreaterThan(0);
    }
    expect(make.finding({ severity: 'low' }).severity).toBe('low');
    expect(make.finding().asset).not.toBe(make.finding().asset);
  });
});
