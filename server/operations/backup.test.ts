import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newApiKey } from '../identity/api-key.ts';
import { DebianCluster, debianPostgres } from '../testing/debian-postgres.ts';
import { onDatabase, type ServerProcess, serverProcesses } from '../testing/server-process.ts';
import { send } from '../testing/test-server.ts';
import { until } from '../testing/until.ts';

const bin = debianPostgres();
const SAMPLE = new URL('../../samples/shop-prod.ndjson', import.meta.url);
const suite =
  bin === null
    ? 'a backup: skipped, Debian’s package postgresql is not installed'
    : 'a backup, on a Postgres as Debian packages it';

describe.skipIf(bin === null)(suite, () => {
  const start = serverProcesses();
  const key = newApiKey().key;
  let cluster: DebianCluster;

  beforeAll(async () => {
    cluster = await DebianCluster.start(bin ?? '');
  });

  afterAll(() => cluster.stop());

  async function serving(): Promise<{ server: ServerProcess; url: string }> {
    const server = start({
      ...onDatabase(cluster.urls),
      NODE_ENV: 'production',
      APP_SECRET: 'a secret of 32 bytes or more that only this test knows',
      WEB_URL: 'https://posture.example.com',
      MAIL_URL: 'smtp://127.0.0.1:1',
      HOST: '127.0.0.1',
      BOOTSTRAP_EMAIL: 'admin@example.com',
      BOOTSTRAP_PASSWORD: 'correct horse battery staple',
      BOOTSTRAP_API_KEY: key,
    });
    return { server, url: await server.url() };
  }

  const headers = { 'x-api-key': key };

  async function scanned(url: string) {
    const body = { projects: ['shop'], profile: 'full' };
    const launched = await send(`${url}/scans`, { method: 'POST', headers, body });
    expect(launched.status).toBe(202);
    return until('the scan to end', async () => {
      const { json } = await send(`${url}/scans/${launched.json.id}`, { headers });
      return json.status === 'queued' || json.status === 'running' ? undefined : json;
    });
  }

  it('holds everything: dropped, restored and started again, the same scan finds nothing new', async () => {
    const before = await serving();
    await send(`${before.url}/projects`, { method: 'POST', headers, body: { name: 'shop' } });
    const upload = await send(`${before.url}/projects/shop/inventory`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/x-ndjson' },
      body: await readFile(SAMPLE),
    });
    expect(upload.status).toBe(201);
    const first = await scanned(before.url);
    expect(first.status).toBe('completed');
    expect(first.delta.new).toBeGreaterThan(50);

    const backup = await cluster.dump();
    before.server.signal('SIGTERM');
    expect((await before.server.ended()).code).toBe(0);
    await cluster.dropDatabase();
    await cluster.createDatabase();
    await cluster.restore(backup);

    const after = await serving();
    const second = await scanned(after.url);
    expect(second.delta).toEqual({ new: 0, resolved: 0, reopened: 0, unchanged: first.delta.new });
    const { json } = await send(`${after.url}/scans/${first.id}`, { headers });
    expect(json).toEqual(first);
  }, 90_000);
});
