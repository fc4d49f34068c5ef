import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../kit/analyst.ts';
import type { TestUser } from '../kit/people.ts';
import { type Planted, plantFindings } from '../kit/planted-findings.ts';
import { plantMutes } from '../kit/planted-mutes.ts';
import { startTestServer, type TestServer } from '../kit/test-server.ts';

/** The allowed latency of the neighbour, besides ten times its latency at rest: other tests may run on the machine. */
const GENEROUS_MS = 3_000;
const SAMPLES = 40;

let server: TestServer;
let neighbour: TestUser;

beforeAll(async () => {
  server = await startTestServer();
  neighbour = await server.people.user();
  // Connections are open, statements prepared.
  await measured(5);
});

afterAll(() => server.close());

interface Sample {
  readonly tookMs: number;
  readonly status: number;
}

async function sampled(path: string, headers: Readonly<Record<string, string>>): Promise<Sample> {
  const began = performance.now();
  const { status } = await server.call(path, { headers });
  return { tookMs: performance.now() - began, status };
}

/** The view of another tenant, and of the load balancer. */
async function measured(count = SAMPLES) {
  const samples: Sample[] = [];
  const probes: Sample[] = [];
  for (let round = 0; round < count; round += 1) {
    samples.push(await sampled('/scans?limit=10', neighbour.key));
    probes.push(await sampled('/health/ready', {}));
    await delay(10);
  }
  const times = samples.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b);
  return {
    p95: times[Math.floor(times.length * 0.95)] ?? Number.POSITIVE_INFINITY,
    statuses: new Set(samples.map(({ status }) => status)),
    probes: new Set(probes.map(({ status }) => status)),
  };
}

/**
 * Sends requests continuously with the given concurrency until `meanwhile` has ended.
 * @returns their statuses.
 */
async function under<T>(
  atOnce: number,
  attack: (number: number) => Promise<number>,
  meanwhile: () => Promise<T>,
): Promise<{ result: T; statuses: Map<number, number> }> {
  const statuses = new Map<number, number>();
  let isOver = false;
  let number = 0;
  const attackers = Array.from({ length: atOnce }, async () => {
    while (!isOver) {
      number += 1;
      const status = await attack(number);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  });
  const result = await meanwhile().finally(() => {
    isOver = true;
  });
  await Promise.all(attackers);
  return { result, statuses };
}

async function attackerWith(findings: number, mutes: number): Promise<Analyst> {
  const user = await server.people.user();
  const analyst = new Analyst(server, user.key, user.tenant.id);
  const project = await analyst.ask(201, '/projects', { method: 'POST', body: { name: 'attack' } });
  // Names and patterns with long common prefixes.
  const planted: Planted[] = Array.from({ length: findings }, (_, number) => ({
    asset: `//storage.googleapis.com/${'a'.repeat(200)}-${number}`,
  }));
  await plantFindings(server.database, user.tenant.id, project.id, planted);
  const pattern = (number: number) => `*${'a'.repeat(100)}*${'a'.repeat(50)}b-${number}*`;
  await plantMutes(server.database, user.tenant.id, mutes, null, pattern);
  return analyst;
}

describe('a tenant with many findings and many mutes of patterns', () => {
  it.each([
    ['lists', '/findings?limit=100'],
    ['lists of what is not muted', '/findings?limit=100&muted=false'],
    ['lists of what is muted', '/findings?muted=true'],
    ['counts', '/findings/summary'],
  ])(
    'a tenant with many findings and mutes that requests %s all the time does not slow other tenants or readiness',
    async (_what, path) => {
      const attacker = await attackerWith(900, 400);
      const { headers } = attacker;
      const rest = await measured();
      const { result, statuses } = await under(
        20,
        async () => (await server.call(path, { headers })).status,
        () => measured(),
      );
      expect([...result.statuses]).toEqual([200]);
      expect([...result.probes]).toEqual([200]);
      expect(result.p95).toBeLessThan(GENEROUS_MS + 10 * rest.p95);
      // Every refused request of the attack has a Retry-After.
      expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    },
    180_000,
  );
});

describe('a storm of sign-ins', () => {
  it('a storm of sign-ins is answered completely, and does not slow requests of signed-in people', async () => {
    const user = await server.people.user();
    const rest = await measured();
    const logins = Array.from({ length: 64 }, (_, number) =>
      server.call('/auth/login', {
        method: 'POST',
        body: {
          email: number % 2 === 0 ? user.email : `nobody-${number}@example.com`,
          password: 'not the password of anybody',
        },
      }),
    );
    const during = await measured();
    expect([...during.statuses]).toEqual([200]);
    expect([...during.probes]).toEqual([200]);
    expect(during.p95).toBeLessThan(GENEROUS_MS + 10 * rest.p95);
    for (const reply of await Promise.all(logins)) {
      expect([401, 429, 503]).toContain(reply.status);
      if (reply.status === 503) expect(reply.headers.get('retry-after')).not.toBeNull();
    }
  }, 300_000);
});
