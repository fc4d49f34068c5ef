import { expect, test } from 'vitest';
import { arrange, failureOf, freshKey, SCAN_ID, scan } from '../conformance/arrange.ts';
import type { Step } from '../conformance/server.ts';
import type { Cspm } from './client.gen.ts';

const GET = `GET /scans/${SCAN_ID}`;

async function fail(cspm: Cspm, calls: number) {
  for (let call = 0; call < calls; call += 1) await failureOf(cspm.scans.get({ id: SCAN_ID }));
}

test.each<[Step, number]>([
  [{ status: 503 }, 190],
  ['reset', 190],
  [{ status: 429 }, 255],
])('150 calls that always end with %j make at most %i requests', async (step, most) => {
  const { server, cspm, clock } = await arrange();
  clock.chance = () => 0;
  server.on(GET, step);
  await fail(cspm, 150);
  expect(server.requests.length).toBeGreaterThan(150);
  expect(server.requests.length).toBeLessThanOrEqual(most);
});

test('a hundred successes return at least one retry, but only a few', async () => {
  const { server, cspm, clock } = await arrange();
  clock.chance = () => 0;
  server.on(GET, { status: 503 });
  await fail(cspm, 30);
  server.on(GET, { body: scan() });
  for (let call = 0; call < 100; call += 1) await cspm.scans.get({ id: SCAN_ID });
  server.on(GET, { status: 503 });
  const before = server.requests.length;
  await fail(cspm, 20);
  const retries = server.requests.length - before - 20;
  expect(retries).toBeGreaterThanOrEqual(1);
  expect(retries).toBeLessThanOrEqual(8);
});

test('successful retries cost nothing', async () => {
  const { server, cspm, clock } = await arrange();
  clock.chance = () => 0;
  for (let call = 0; call < 60; call += 1) {
    server.on(GET, { status: 503 }, { body: scan() });
    await cspm.scans.get({ id: SCAN_ID });
  }
  expect(server.requests).toHaveLength(120);
});

test('clients of the same origin and credential share a budget, others have their own', async () => {
  const { server, clock, client } = await arrange();
  clock.chance = () => 0;
  const apiKey = freshKey();
  server.on(GET, { status: 503 });
  await fail(client({ apiKey }), 40);
  const spent = server.requests.length;
  await fail(client({ apiKey }), 1);
  expect(server.requests.length - spent).toBe(1);
  await fail(client({ apiKey: freshKey() }), 1);
  expect(server.requests.length - spent).toBe(1 + 3);
});

test('a session keeps its budget when its tokens are refreshed', async () => {
  const { server, clock, client } = await arrange();
  clock.chance = () => 0;
  const session = { accessToken: 'a1', refreshToken: freshKey() };
  const cspm = client({ session });
  server.on(GET, { status: 503 });
  await fail(cspm, 40);
  server.on(GET, { status: 401 }, { status: 503 });
  server.on('POST /auth/refresh', {
    body: { accessToken: 'a2', refreshToken: 'r2', tokenType: 'Bearer', expiresIn: 900 },
  });
  const before = server.to(GET).length;
  await fail(cspm, 1);
  expect(server.to(GET).length - before).toBe(2);
});

test('a session that was signed out takes the budget of the next sign-in', async () => {
  const { server, clock, client } = await arrange();
  clock.chance = () => 0;
  const cspm = client({ session: { accessToken: 'a1', refreshToken: freshKey() } });
  server.on(GET, { status: 503 });
  await fail(cspm, 40);
  server.on('POST /auth/logout', { status: 204 });
  server.on('POST /auth/login', {
    body: { accessToken: 'a2', refreshToken: freshKey(), tokenType: 'Bearer', expiresIn: 900 },
  });
  await cspm.auth.logout();
  await cspm.auth.login({ email: 'ada@example.com', password: 'correct horse' });
  const before = server.to(GET).length;
  await fail(cspm, 1);
  expect(server.to(GET).length - before).toBe(3);
});

test('`budget: false` neither uses the budget nor is limited by it', async () => {
  const { server, clock, client } = await arrange();
  clock.chance = () => 0;
  const apiKey = freshKey();
  server.on(GET, { status: 503 });
  await fail(client({ apiKey }), 40);
  const before = server.requests.length;
  await fail(client({ apiKey, retry: { budget: false } }), 5);
  expect(server.requests.length - before).toBe(15);
});
