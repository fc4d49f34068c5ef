import { Agent, get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../testing/database.ts';
import { onDatabase, serverProcesses } from '../testing/server-process.ts';
import { until } from '../testing/until.ts';

const start = serverProcesses();
let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});

afterAll(() => database.drop());

const PRODUCTION = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  APP_SECRET: 'a secret of thirty-two bytes or more',
  WEB_URL: 'https://posture.example.com',
  MAIL_URL: 'smtp://127.0.0.1:1',
  RATE_LIMIT: '1000000',
};

function statusOf(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    }).once('error', reject);
  });
}

describe('a server in production that is told to end', () => {
  it('says first that it is not ready, loses no request of clients that then leave, and exits with 0', async () => {
    const server = start({ ...onDatabase(database), ...PRODUCTION });
    const url = await server.url();
    const agent = new Agent({ keepAlive: true, maxSockets: 16 });
    const statuses: number[] = [];
    const failures: unknown[] = [];
    let balancerSends = true;
    // As a load balancer does: it sends until a probe tells it not to, over connections that it keeps.
    const client = async () => {
      while (balancerSends) {
        await statusOf(`${url}/problems/not-found`, agent).then(
          (status) => statuses.push(status),
          (error) => failures.push(error),
        );
      }
    };
    const clients = Array.from({ length: 16 }, client);
    await until('some load', async () => statuses.length > 200);
    const probe = new Agent({ keepAlive: false });
    expect(await statusOf(`${url}/health/ready`, probe)).toBe(200);
    server.signal('SIGTERM');
    await until(
      'readiness to go',
      async () => (await statusOf(`${url}/health/ready`, probe)) === 503,
    );
    // While it is not ready it still serves.
    const sinceThen = statuses.length;
    await until('further answers', async () => statuses.length > sinceThen + 50);
    expect(await statusOf(`${url}/health/live`, probe)).toBe(200);
    balancerSends = false;
    await Promise.all(clients);
    expect(failures).toEqual([]);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await server.ended()).toEqual({ code: 0, signal: null });
    await expect(statusOf(`${url}/health/live`, probe)).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
    agent.destroy();
  });

  it('twice does not wait any longer', async () => {
    const server = start({ ...onDatabase(database), ...PRODUCTION });
    await server.url();
    server.signal('SIGTERM');
    server.signal('SIGINT');
    expect((await server.ended()).code).not.toBeNull();
  });
});
