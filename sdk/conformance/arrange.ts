import { onTestFinished } from 'vitest';
import type { Cspm } from '../src/client.gen.ts';
import { assemble, createClient } from '../src/client.ts';
import type { Scan } from '../src/models.gen.ts';
import type { ClientOptions } from '../src/options.ts';
import { type LoopbackServer, startServer } from './server.ts';
import { TestClock } from './test-clock.ts';

let principals = 0;

/** A credential that no other test uses, so it has its own retry budget. */
export function freshKey(): string {
  principals += 1;
  return `cspm_test${principals}_${'x'.repeat(43)}`;
}

type Overrides = Partial<ClientOptions>;

/** Creates a server, a clock and a client for one test, by default with an API key. */
export async function arrange(overrides: Overrides = {}): Promise<{
  server: LoopbackServer;
  clock: TestClock;
  cspm: Cspm;
  client(overrides?: Overrides): Cspm;
}> {
  const server = await startServer();
  onTestFinished(() => server.close());
  const clock = new TestClock();
  const client = (more: Overrides = {}) => assemble(optionsFor(server, more), clock);
  return { server, clock, client, cspm: client(overrides) };
}

/** The same in real time, through the public `createClient`. */
export async function arrangeInRealTime(overrides: Overrides = {}) {
  const server = await startServer();
  onTestFinished(() => server.close());
  return { server, cspm: createClient(optionsFor(server, overrides)) };
}

function optionsFor(server: LoopbackServer, overrides: Overrides): ClientOptions {
  const credential =
    'session' in overrides || 'masterKey' in overrides || 'credential' in overrides
      ? {}
      : { apiKey: freshKey() };
  return { baseUrl: server.url, ...credential, ...overrides } as ClientOptions;
}

export const SCAN_ID = '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36';

/** A scan as the service returns it. */
export function scan(overrides: Partial<Scan> = {}): Scan {
  return {
    id: SCAN_ID,
    status: 'queued',
    profile: 'full',
    profileDigest: 'd1',
    projects: [],
    totals: {
      assets: 0,
      evaluations: 0,
      pass: 0,
      fail: 0,
      unknown: 0,
      bySeverity: { critical: 0, high: 0, medium: 0, low: 0, info: 0 },
    },
    delta: { new: 0, resolved: 0, reopened: 0, unchanged: 0 },
    coverage: { rules: 0, decided: 0, undecided: 0, unmet: 0 },
    createdBy: { kind: 'api_key', id: SCAN_ID, label: 'ada@example.com' },
    scheduleId: null,
    createdAt: '2026-11-20T08:00:00.000Z',
    startedAt: null,
    finishedAt: null,
    ...overrides,
  };
}

/** The error a call rejects with; fails the test if the call succeeds. */
export async function failureOf<E extends Error = Error>(
  call: PromiseLike<unknown>,
  type?: abstract new (...args: never[]) => E,
): Promise<E> {
  try {
    await call;
  } catch (error) {
    if (type && !(error instanceof type)) throw error;
    return error as E;
  }
  throw new Error('the call succeeded');
}
