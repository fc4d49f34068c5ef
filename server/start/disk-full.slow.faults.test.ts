import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DebianCluster, debianPostgres } from '../../tests/kit/debian-postgres.ts';
import { onDatabase, serverProcesses } from '../../tests/kit/server-process.ts';
import { type Call, send } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';
import { newApiKey } from '../modules/auth/credentials/api-key.ts';

const DISK_MB = 256;

const start = serverProcesses();
const { key } = newApiKey();
const bin = debianPostgres();
const disk = mkdtempSync(join(tmpdir(), 'cspm-disk-'));
const isMounted = bin !== null && mount();

/** Only root may mount, and not in every container. */
function mount(): boolean {
  try {
    const size = `size=${DISK_MB}m,mode=755`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', disk], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Writes until not even one byte fits. */
function fill(): void {
  const file = openSync(join(disk, 'fill'), 'a');
  try {
    for (let size = 2 ** 20; size >= 1; size = Math.floor(size / 2)) {
      const bytes = Buffer.alloc(size);
      while (fits(file, bytes));
    }
  } finally {
    closeSync(file);
  }
}

function fits(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) === bytes.length;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false;
    throw error;
  }
}

/** Postgres removes these at each start. Without them, a new connection has to write them. */
function removeCatalogCaches(): void {
  for (const path of readdirSync(disk, { recursive: true, encoding: 'utf8' })) {
    if (path.endsWith('pg_internal.init')) rmSync(join(disk, path));
  }
}

describe.skipIf(!isMounted)(
  'a full disk of Postgres (skipped without the right to mount, or where Debian has no postgresql)',
  () => {
    let cluster: DebianCluster;

    beforeAll(async () => {
      cluster = await DebianCluster.start(bin ?? '', disk);
    });

    afterAll(async () => {
      await cluster.stop();
      execFileSync('umount', [disk]);
      rmSync(disk, { recursive: true });
    });

    async function isRefusing(): Promise<boolean> {
      removeCatalogCaches();
      fill();
      await cluster.endSessions();
      return cluster.sql('SELECT 1').then(
        () => false,
        (error: Error) => error.message.includes('FATAL:  could not write init file'),
      );
    }

    it('requests are answered 503 with Retry-After while the disk of Postgres is full and it refuses connections', async () => {
      const server = start({
        ...onDatabase(cluster.urls),
        APP_SECRET: 'the same secret after each restart',
        BOOTSTRAP_EMAIL: 'first@example.com',
        BOOTSTRAP_PASSWORD: 'correct horse battery staple',
        BOOTSTRAP_API_KEY: key,
        DATABASE_TIMEOUT_MS: '2000',
        // A worker that is still starting would end the process.
        WORKER: 'off',
      });
      const url = await server.url();
      const headers = { 'x-api-key': key };
      const ask = (path: string, call: Call = {}) => send(url + path, { headers, ...call });
      expect((await ask('/auth/me')).status).toBe(200);

      fill();
      await until('Postgres to refuse connections', isRefusing);

      const body = { email: 'first@example.com', password: 'correct horse battery staple' };
      const replies = [
        await ask('/auth/me'),
        await ask('/projects'),
        await ask('/projects', { method: 'POST', body: { name: 'new' } }),
        await ask('/auth/login', { method: 'POST', headers: {}, body }),
      ];
      for (const reply of replies) {
        expect(reply.status, reply.text).toBe(503);
        expect(reply.headers.has('retry-after')).toBe(true);
      }
      rmSync(join(disk, 'fill'));
      await until('the server to recover', async () => (await ask('/projects')).status === 200);
    });
  },
);
