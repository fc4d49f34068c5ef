import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { createClient } from '@cspm/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../../server/platform/logger.ts';
import { startWorker } from '../../server/start/start-worker.ts';
import { Analyst } from '../kit/analyst.ts';
import { EventStream } from '../kit/event-stream.ts';
import { manyClusters } from '../kit/export-records.ts';
import { rowsOf } from '../kit/owner-queries.ts';
import { onDatabase, serverProcesses } from '../kit/server-process.ts';
import { startTestServer, TEST_APP_SECRET, type TestServer } from '../kit/test-server.ts';
import { until } from '../kit/until.ts';

const start = serverProcesses();
let server: TestServer;
let analyst: Analyst;
let balancer: Balancer;

beforeAll(async () => {
  server = await startTestServer();
  analyst = await Analyst.at(server);
  balancer = await Balancer.start();
});

afterAll(async () => {
  balancer.stop();
  await server.close();
});

/** Routes new connections to the selected server. */
class Balancer {
  readonly #server: Server;
  #to = 0;

  private constructor() {
    this.#server = createServer((near) => {
      const far = connect(this.#to, '127.0.0.1');
      for (const socket of [near, far]) socket.on('error', () => undefined);
      near.pipe(far).pipe(near);
      near.on('close', () => far.destroy());
      far.on('close', () => near.destroy());
    });
  }

  static async start(): Promise<Balancer> {
    const balancer = new Balancer();
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  leadsTo(url: string): void {
    this.#to = Number(new URL(url).port);
  }

  stop(): void {
    this.#server.close();
  }
}

it('an event stream of a stopping server ends in time and resumes on another server without a gap', async () => {
  const { owner } = server.database;
  const leaving = start({
    ...onDatabase(server.database),
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    APP_SECRET: TEST_APP_SECRET,
    WEB_URL: 'https://posture.example.com',
    MAIL_URL: 'smtp://127.0.0.1:1',
    RATE_LIMIT: '1000000',
    WORKER: 'off',
  });
  const url = await leaving.url();
  balancer.leadsTo(url);
  const project = await analyst.project(manyClusters(60));
  // Findings reference their project, so holding its row stops the scan in the middle of its work.
  await owner.query('BEGIN');
  await rowsOf(server.database, analyst.tenantId, 'SELECT 1 FROM projects FOR UPDATE');
  const worker = await startWorker({
    databaseUrl: server.database.workerUrl,
    log: createLogger('silent'),
    clock: server.clock,
  });
  const scanId = await analyst.launch(project, 'gke');
  await until('a beginning', async () => (await analyst.seen(scanId)).status === 'running');

  const cspm = createClient({ baseUrl: balancer.url, apiKey: analyst.headers['x-api-key'] ?? '' });
  const seen: string[] = [];
  const waited = cspm.scans.wait(scanId, { onProgress: ({ status }) => void seen.push(status) });
  const stream = await EventStream.open({ url }, `/scans/${scanId}/events`, analyst.headers);
  await until('a first event', async () => stream.events.length > 0 && seen.length > 0);

  leaving.signal('SIGTERM');
  // Ended, not cut: an aborted stream rejects here.
  await stream.ended();
  expect(stream.events.map(({ event }) => event)).toEqual(['progress']);
  balancer.leadsTo(server.url);
  expect(await leaving.ended()).toEqual({ code: 0, signal: null });
  await owner.query('ROLLBACK');

  const last = stream.events.at(-1)?.id;
  const resumed = await EventStream.open(server, `/scans/${scanId}/events`, {
    ...analyst.headers,
    'last-event-id': String(last),
  });
  await resumed.ended();
  expect(resumed.events.at(-1)).toMatchObject({ event: 'done', data: { status: 'completed' } });
  for (const { id } of resumed.events) expect(id).toBeGreaterThan(last ?? 0);
  expect(await waited).toMatchObject({ id: scanId, status: 'completed', totals: { fail: 20 } });
  expect(seen.at(-1)).toBe('completed');
  await worker.stop();
}, 300_000);
