import { describe, expect, test } from 'vitest';
import { arrange, failureOf, SCAN_ID, scan } from '../conformance/arrange.ts';
import { fixedWindow, problem, type Step } from '../conformance/server.ts';
import { AbortError, RateLimitError } from './errors.ts';

const GET = `GET /scans/${SCAN_ID}`;
const LAUNCH = 'POST /scans';
const input = { projects: ['shop-prod'], profile: 'full' };
const launched: Step = { status: 202, body: scan() };

function statuses(server: { requests: readonly unknown[] }, hits: number[]) {
  return {
    requests: server.requests.length,
    refused: hits.filter((status) => status === 429).length,
  };
}

describe('the limit of an endpoint in the contract', () => {
  test('the limit of an endpoint in the contract is respected from the first request on: a burst gets no 429', async () => {
    const seen: number[] = [];
    const { server, cspm, clock } = await arrange({
      timeoutMs: 600_000,
      hooks: { onResponse: ({ status = 0 }) => void seen.push(status) },
    });
    server.on(LAUNCH, fixedWindow('scans', 10, 60, clock.now)(launched));
    await Promise.all(Array.from({ length: 25 }, () => cspm.scans.launch(input)));
    expect(statuses(server, seen)).toEqual({ requests: 25, refused: 0 });
  });

  test('the limit of an endpoint delays the eleventh launch until the window ends, and no longer', async () => {
    const { server, cspm, clock } = await arrange({ timeoutMs: 120_000 });
    server.on(LAUNCH, fixedWindow('scans', 10, 60, clock.now)(launched));
    for (let call = 0; call < 10; call += 1) await cspm.scans.launch(input);
    expect(clock.sleeps).toEqual([]);
    const { attempts } = await cspm.scans.launch(input).withResponse();
    expect(attempts.map(({ status }) => status)).toEqual([202]);
    expect(attempts[0]?.delayMs).toBeGreaterThan(59_000);
    expect(attempts[0]?.delayMs).toBeLessThan(61_000);
  });

  test('the limit of an endpoint refuses immediately what cannot be sent before its deadline, including the queue', async () => {
    const { server, cspm, clock } = await arrange({ timeoutMs: 90_000 });
    server.on(LAUNCH, fixedWindow('scans', 10, 60, clock.now)(launched));
    for (let call = 0; call < 10; call += 1) await cspm.scans.launch(input);
    const before = clock.now();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 15 }, () =>
        cspm.scans.launch(input).catch((error: unknown) => {
          expect(clock.now() - before).toBeLessThan(1000);
          throw error;
        }),
      ),
    );
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as RateLimitError] : [],
    );
    expect(refused).toHaveLength(5);
    for (const error of refused) {
      expect(error).toBeInstanceOf(RateLimitError);
      expect(error).toMatchObject({ code: 'RATE_LIMITED', attempts: [] });
      expect(error.status).toBeUndefined();
      expect(error.retryAfterMs).toBeGreaterThan(90_000);
    }
    expect(server.requests).toHaveLength(20);
  });

  test('the limit of an endpoint refuses only the part of a burst that cannot be sent in time', async () => {
    const { server, cspm, clock } = await arrange({ timeoutMs: 90_000 });
    server.on(LAUNCH, fixedWindow('scans', 10, 60, clock.now)(launched));
    const burst = Array.from({ length: 25 }, () => cspm.scans.launch(input));
    const outcomes = await Promise.allSettled(burst);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    expect(server.requests).toHaveLength(20);
  });

  test('the limit of an endpoint does not affect other endpoints', async () => {
    const { server, cspm, clock } = await arrange();
    server.on(LAUNCH, fixedWindow('scans', 10, 60, clock.now)(launched));
    server.on(GET, { body: scan() });
    for (let call = 0; call < 10; call += 1) await cspm.scans.launch(input);
    await cspm.scans.get({ id: SCAN_ID });
    expect(clock.sleeps).toEqual([]);
  });

  test('the limit of an endpoint does not apply without rate-limit headers from the server', async () => {
    const { server, cspm, clock } = await arrange();
    server.on(LAUNCH, launched);
    for (let call = 0; call < 30; call += 1) await cspm.scans.launch(input);
    expect(clock.sleeps).toEqual([]);
  });
});

describe('the general limit', () => {
  test('the general limit is never assumed: without headers, any number of reads is sent immediately', async () => {
    const { server, cspm, clock } = await arrange();
    server.on(GET, { body: scan() });
    await Promise.all(Array.from({ length: 80 }, () => cspm.scans.get({ id: SCAN_ID })));
    expect(clock.sleeps).toEqual([]);
  });

  test.each([5, 30])(
    'the general limit is learned from the header: %i per minute',
    async (quota) => {
      const seen: number[] = [];
      const { server, cspm, clock } = await arrange({
        timeoutMs: 600_000,
        hooks: { onResponse: ({ status = 0 }) => void seen.push(status) },
      });
      server.on(GET, fixedWindow('default', quota, 60, clock.now)({ body: scan() }));
      await cspm.scans.get({ id: SCAN_ID });
      await Promise.all(Array.from({ length: 2 * quota }, () => cspm.scans.get({ id: SCAN_ID })));
      expect(statuses(server, seen)).toEqual({ requests: 2 * quota + 1, refused: 0 });
    },
  );

  test('the general limit counts requests to every endpoint, whichever reported it', async () => {
    const { server, cspm, clock } = await arrange({ timeoutMs: 120_000 });
    server.on(GET, { body: scan(), headers: { ratelimit: '"default";r=0;t=40' } });
    server.on(LAUNCH, launched);
    await cspm.scans.get({ id: SCAN_ID });
    await cspm.scans.launch(input);
    expect(clock.sleeps).toEqual([40_000]);
  });

  test('the general limit is shared by all clients of the origin, because the server counts by address', async () => {
    const { server, cspm, client, clock } = await arrange();
    server.on(GET, { body: scan(), headers: { ratelimit: '"default";r=0;t=40' } });
    await cspm.scans.get({ id: SCAN_ID });
    await client().scans.get({ id: SCAN_ID });
    expect(clock.sleeps).toEqual([40_000]);
  });

  test('the general limit does not delay operations outside all limits', async () => {
    const { server, cspm, clock } = await arrange();
    server.on(GET, { body: scan(), headers: { ratelimit: '"default";r=0;t=40' } });
    server.on('GET /health/live', { body: { status: 'ok', checks: {} } });
    await cspm.scans.get({ id: SCAN_ID });
    await cspm.meta.live();
    expect(clock.sleeps).toEqual([]);
  });

  test('the general limit is not raised by responses that arrive out of order', async () => {
    const { server, cspm, clock } = await arrange();
    const slow = { body: scan(), headers: { ratelimit: '"default";r=1;t=40' }, afterMs: 60 };
    const fast = { body: scan(), headers: { ratelimit: '"default";r=0;t=40' } };
    server.on(GET, slow, fast, { body: scan() });
    await Promise.all([cspm.scans.get({ id: SCAN_ID }), cspm.scans.get({ id: SCAN_ID })]);
    await cspm.scans.get({ id: SCAN_ID });
    expect(clock.sleeps).toEqual([40_000]);
  });
});

describe('pacing', () => {
  test('pacing adds no wait when the server sent Retry-After', async () => {
    const { server, cspm, clock } = await arrange();
    clock.chance = () => 0;
    const headers = { 'retry-after': '2', ratelimit: '"default";r=0;t=50' };
    server.on(GET, problem(429, 'RATE_LIMITED', headers), { body: scan() });
    await cspm.scans.get({ id: SCAN_ID });
    expect(clock.sleeps).toEqual([2000]);
  });

  test('pacing is switched off by `pacing: "off"`', async () => {
    const { server, cspm, clock } = await arrange({ pacing: 'off' });
    server.on(LAUNCH, { ...launched, headers: { ratelimit: '"scans";r=0;t=40' } });
    for (let call = 0; call < 12; call += 1) await cspm.scans.launch(input);
    expect(clock.sleeps).toEqual([]);
  });

  test('pacing ends on abort, and a delayed call sends nothing', async () => {
    const { server, cspm } = await arrange({ timeoutMs: 120_000 });
    server.on(GET, { body: scan(), headers: { ratelimit: '"default";r=0;t=40' } });
    await cspm.scans.get({ id: SCAN_ID });
    const controller = new AbortController();
    const held = failureOf(
      cspm.scans.get({ id: SCAN_ID }, { signal: controller.signal }),
      AbortError,
    );
    controller.abort('never mind');
    expect((await held).cause).toBe('never mind');
    expect(server.requests).toHaveLength(1);
  });

  test('pacing waits for responses in flight when only they can tell what remains', async () => {
    const { server, cspm, clock } = await arrange();
    server.on(LAUNCH, { ...launched, afterMs: 40 });
    await Promise.all(Array.from({ length: 12 }, () => cspm.scans.launch(input)));
    expect(server.requests).toHaveLength(12);
    expect(Math.max(...clock.sleeps)).toBeLessThan(100);
  });
});
