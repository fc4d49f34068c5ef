import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newApiKey } from '../../server/modules/auth/credentials/api-key.ts';
import { DebianCluster, debianPostgres } from '../kit/debian-postgres.ts';
import { bundled, onDatabase, ServerProcess } from '../kit/server-process.ts';
import { send } from '../kit/test-server.ts';
import { until } from '../kit/until.ts';

const bin = debianPostgres();
const SAMPLE = new URL('../../samples/shop-prod.ndjson', import.meta.url);
const suite =
  bin === null
    ? 'a backup: skipped, Debian’s package postgresql is not installed'
    : 'a backup, on a Postgres as Debian packages it';

describe.skipIf(bin === null)(suite, () => {
  const folder = bundled();
  const started: ServerProcess[] = [];
  const key = newApiKey().key;
  let cluster: DebianCluster;

  beforeAll(async () => {
    cluster = await DebianCluster.start(bin ?? '');
  });

  afterAll(async () => {
    for (const process of started) await process.kill();
    await cluster.stop();
  });

  function environment(): Record<string, string> {
    return {
      ...onDatabase(cluster.urls),
      NODE_ENV: 'production',
      APP_SECRET: 'a secret of 32 bytes or more that only this test knows',
      WEB_URL: 'https://posture.example.com',
      MAIL_URL: 'smtp://127.0.0.1:1',
      HOST: '127.0.0.1',
      BOOTSTRAP_EMAIL: 'admin@example.com',
      BOOTSTRAP_PASSWORD: 'correct horse battery staple',
      BOOTSTRAP_API_KEY: key,
    };
  }

  /** A server and a worker, as in production. */
  async function serving(): Promise<{ url: string; end(): Promise<void> }> {
    const both = ['off', 'only'].map(
      (WORKER) => new ServerProcess(join(folder, 'main.mjs'), { ...environment(), WORKER }),
    );
    started.push(...both);
    const [server, worker] = both;
    await worker?.line(/Working the queue/);
    return {
      url: (await server?.url()) ?? '',
      end: async () => {
        for (const process of both) process.signal('SIGTERM');
        for (const process of both) expect((await process.ended()).code).toBe(0);
      },
    };
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

  it('the roles of deploy/postgres-roles.sh suffice: their owner migrates the database of the backup', async () => {
    const migrated = await promisify(execFile)(
      process.execPath,
      [join(folder, 'admin.mjs'), 'migrate'],
      { env: { PATH: process.env['PATH'] ?? '', ...environment() } },
    );
    expect(migrated.stderr).toBe('');
  });

  it('a restored backup has all data: a scan after the restore finds nothing new', async () => {
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
    await before.end();
    await cluster.restore(backup);

    const after = await serving();
    const second = await scanned(after.url);
    expect(second.delta).toEqual({ new: 0, resolved: 0, reopened: 0, unchanged: first.delta.new });
    const { json } = await send(`${after.url}/scans/${first.id}`, { headers });
    expect(json).toEqual(first);
  }, 300_000);
});
