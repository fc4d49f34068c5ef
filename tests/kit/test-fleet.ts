import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { cloneDatabase, type TestDatabase } from './database.ts';
import { Fleet } from './fleet.ts';
import { TestMailServer } from './mail-server.ts';
import { hasRedis, startRedis, type TestRedis } from './redis.ts';
import { bundled, onDatabase } from './server-process.ts';
import { TEST_MASTER_KEY } from './shared-credentials.ts';
import {
  type Call,
  type Reply,
  send,
  startTestServer,
  TEST_APP_SECRET,
  type TestServer,
} from './test-server.ts';
import { until } from './until.ts';

const WEB_URL = 'https://posture.example.com';

/** Several production servers for a test. */
export interface TestFleet {
  /** Each works like a single test server. They share people, database and clock. */
  readonly instances: readonly [TestServer, TestServer, TestServer];
  readonly database: TestDatabase;
  readonly mails: TestMailServer;
  /** Sends one request to the next instance in turn. */
  call(path: string, call?: Call): Promise<Reply>;
  /** Sends the same request to every instance concurrently, a number of times. */
  everywhere(path: string, call?: Call, times?: number): Promise<Reply[]>;
}

/**
 * Starts three servers and some workers for the tests of one file, with one Postgres, one Redis (if redis-server is
 * installed) and one mail server.
 */
export function testFleet({ workers }: { readonly workers: number }): () => TestFleet {
  const folder = bundled();
  const closing: (() => Promise<unknown>)[] = [];
  let fleet: TestFleet | null = null;
  beforeAll(async () => {
    const redis = hasRedis() ? await startRedis() : null;
    if (redis !== null) closing.push(() => redis.kill());
    const mails = await TestMailServer.start();
    closing.push(() => mails.stop());
    const database = await cloneDatabase();
    closing.push(() => database.drop());
    // Serves no requests of the fleet: it only inserts people into the database and reads from it.
    const origin = await startTestServer({ database, config: { webUrl: WEB_URL } });
    closing.push(() => origin.close());
    const processes = new Fleet({
      main: join(folder, 'main.mjs'),
      environment: environmentOf(database, redis, mails),
      workers,
    });
    closing.push(() => processes.kill());
    await processes.start();
    fleet = fleetOf(processes, origin, mails);
  });
  afterAll(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  return () => {
    if (fleet === null) throw new Error('The fleet has not been started');
    return fleet;
  };
}

function environmentOf(database: TestDatabase, redis: TestRedis | null, mails: TestMailServer) {
  return {
    ...onDatabase(database),
    // A busy machine must not look like a Redis that is away: the instances would count for themselves.
    ...(redis === null ? {} : { REDIS_URL: redis.url, REDIS_TIMEOUT_MS: '60000' }),
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    TRUST_PROXY: '1',
    RATE_LIMIT: '60',
    APP_SECRET: TEST_APP_SECRET,
    WEB_URL,
    MAIL_URL: mails.url,
    BREAK_GLASS_ENABLED: 'true',
    MASTER_KEY: TEST_MASTER_KEY,
  };
}

/**
 * Sends one request, and repeats it while the response is 503: such a response has no effect, as when Redis was too
 * slow.
 */
function patiently(url: string, call?: Call): Promise<Reply> {
  return until(`an answer of ${url}`, async () => {
    const reply = await send(url, call);
    return reply.status !== 503 && reply;
  });
}

function fleetOf(processes: Fleet, origin: TestServer, mails: TestMailServer): TestFleet {
  const at = (index: number): TestServer => {
    const url = processes.servers[index]?.url ?? '';
    return { ...origin, url, call: (path, call) => patiently(url + path, call) };
  };
  const instances = [at(0), at(1), at(2)] as const;
  let turn = 0;
  return {
    instances,
    mails,
    database: origin.database,
    call: (path, call) => {
      turn += 1;
      return at(turn % instances.length).call(path, call);
    },
    everywhere: (path, call, times = 1) =>
      Promise.all(
        Array.from({ length: times }, () => instances)
          .flat()
          .map((instance) => instance.call(path, call)),
      ),
  };
}
