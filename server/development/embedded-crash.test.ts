import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbedded } from './embedded.ts';
import { osUserForPostgres } from './embedded-os-user.ts';
import { credentials, sight } from './embedded-process.ts';
import {
  query,
  scratchFolder,
  serverIn,
  sharedFolder,
  startProcess,
  until,
} from './embedded-test-harness.ts';

async function start(directory: string): Promise<EmbeddedPostgres> {
  return startEmbedded({ directory, durable: false });
}

async function isGone(pid: number): Promise<boolean> {
  return !(await sight(pid)).running;
}

describe('after kill -9 of the Node process', () => {
  const folder = sharedFolder();

  it('a Postgres that survived kill -9 of the Node process is used again with its data, and stop() ends it', async () => {
    const directory = folder();
    const child = startProcess({ directory });
    const first = await child.started();
    await query(first.ownerUrl, 'CREATE TABLE survived AS SELECT 42 AS n');
    const { pid } = await serverIn(directory);
    await child.kill();

    const second = await start(directory);
    expect((await serverIn(directory)).pid).toBe(pid);
    expect(second.ownerUrl).toBe(first.ownerUrl);
    expect(await query(second.ownerUrl, 'SELECT n FROM survived')).toEqual([{ n: 42 }]);
    await second.stop();
    expect(await isGone(pid)).toBe(true);
    await (await start(directory)).stop();
  });

  it('a surviving Postgres that does not flush to disk is not used when commits must be durable', async () => {
    const directory = folder();
    const child = startProcess({ directory });
    await child.started();
    const { pid } = await serverIn(directory);
    await child.kill();
    const second = await startEmbedded({ directory });
    expect((await serverIn(directory)).pid).not.toBe(pid);
    expect(await query(second.appUrl, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
    await second.stop();
  });

  it('committed rows are recovered after kill -9 of the Node process and of Postgres', async () => {
    const directory = folder();
    const child = startProcess({ directory, durable: true });
    const { ownerUrl } = await child.started();
    await query(ownerUrl, 'CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n');
    const { pid } = await serverIn(directory);
    await child.kill();
    process.kill(pid, 'SIGKILL');
    await until('the end of the server', async () => isGone(pid));
    expect(await readdir(join(directory, 'cluster'))).toContain('postmaster.pid');

    const again = await startEmbedded({ directory });
    expect(await query(again.ownerUrl, 'SELECT count(*)::int AS n FROM kept')).toEqual([
      { n: 1000 },
    ]);
    await again.stop();
  });

  it('a start succeeds after kill -9 although another process has got the process id of the old Postgres', async () => {
    const directory = folder();
    const first = await start(directory);
    const file = join(directory, 'cluster', 'postmaster.pid');
    const [, ...rest] = (await readFile(file, 'utf8')).split('\n');
    await first.stop();
    // The same account, so Postgres itself could not distinguish them.
    const user = await osUserForPostgres(() => undefined);
    const stranger = spawn('/bin/sleep', ['600'], { ...credentials(user), stdio: 'ignore' });
    try {
      await once(stranger, 'spawn');
      await writeFile(file, [String(stranger.pid), ...rest].join('\n'));
      const postgres = await start(directory);
      await query(postgres.appUrl, 'SELECT 1');
      await postgres.stop();
      expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
    } finally {
      stranger.kill('SIGKILL');
    }
  });
});

describe('after the end of Postgres alone', () => {
  const folder = sharedFolder();

  it('a Postgres whose port was taken is restarted less and less often, and the reason is logged once', async () => {
    const directory = folder();
    const lines: string[] = [];
    const postgres = await startEmbedded({
      directory,
      durable: false,
      log: (line) => lines.push(line),
    });
    const { pid, port } = await serverIn(directory);
    const fromStart = lines.length;
    process.kill(pid, 'SIGKILL');
    await until('the end of the server', async () => isGone(pid));
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const attempts = async () =>
      (await readFile(join(postgres.directory, 'postgres.log'), 'utf8')).split(
        'could not create any TCP/IP sockets',
      ).length - 1;
    await until('the first attempt', async () => (await attempts()) > 0);
    const first = performance.now();
    await until('the third attempt', async () => (await attempts()) > 2);
    // Pauses of 1 s and 2 s. The log is read every 10 ms.
    expect(performance.now() - first).toBeGreaterThan(2_900);
    expect(lines.slice(fromStart)).toEqual([
      `the Postgres server (pid ${pid}) exited; restarting it`,
      expect.stringContaining(`another process listens on 127.0.0.1:${port}. End that process, or`),
    ]);
    other.close();
    await until('a new server', async () => query(postgres.appUrl, 'SELECT 1').catch(() => null));
    expect(lines.at(-1)).toMatch(/^the Postgres server \(pid \d+\) runs again$/);
    await postgres.stop();
  });
});

describe('after a crash in the middle of the first start', () => {
  it.each(['creating a database cluster', 'creating its roles'])(
    'a database cluster is created again after a crash in the first start while "%s"',
    async (standStillAt) => {
      const directory = await scratchFolder();
      const child = startProcess({ directory, standStillAt });
      await child.line(standStillAt);
      await until('a half-made cluster', async () => hasDraft(directory));
      await child.kill();

      const postgres = await start(directory);
      await query(postgres.workerUrl, 'SELECT 1');
      await postgres.stop();
      expect(await hasDraft(directory)).toBe(false);
    },
  );
});

describe('the server is left to itself', () => {
  const folder = sharedFolder();

  it('Ctrl-C does not stop the embedded Postgres while our process still drains', async () => {
    const directory = folder();
    const child = startProcess({ directory });
    await child.started();
    const { pid } = await serverIn(directory);
    // A terminal sends the signal to the whole foreground process group.
    process.kill(-child.pid, 'SIGINT');
    await child.line('drained');
    await child.line('stopped');
    await child.exited();
    expect(await isGone(pid)).toBe(true);
  });

  it('a process that ends without stop() leaves the embedded Postgres running, and is not kept alive by it', async () => {
    const directory = folder();
    const child = startProcess({ directory, leave: true });
    const first = await child.started();
    await child.exited();
    await query(first.appUrl, 'SELECT 1');
    const second = await start(directory);
    expect(second.appUrl).toBe(first.appUrl);
    await second.stop();
  });
});

async function hasDraft(directory: string): Promise<boolean> {
  return (await readdir(directory)).some((name) => name.startsWith('making-'));
}
