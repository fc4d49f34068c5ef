import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  findEmbedded,
  startEmbedded,
} from './embedded.ts';
import {
  query,
  scratchFolder,
  serverIn,
  sharedFolder,
  startProcess,
} from './embedded-test-harness.ts';

async function start(directory: string): Promise<EmbeddedPostgres> {
  return startEmbedded({ directory, durable: false });
}

describe('a second server', () => {
  it('a second server is refused on the same folder, and the message names the owner', async () => {
    const directory = await scratchFolder();
    const child = startProcess({ directory });
    const first = await child.started();
    const second = await start(directory).catch((error: unknown) => error);
    expect(second).toBeInstanceOf(EmbeddedPostgresError);
    expect(second).toMatchObject({
      message: `another server (pid ${child.pid}) is using ${directory}; stop it or set DATA_DIR`,
    });
    // The first server still works.
    await query(first.appUrl, 'SELECT 1');
  });

  it('exactly one of two concurrent starts on a new folder succeeds', async () => {
    const directory = await scratchFolder();
    const attempts = await Promise.allSettled([1, 2, 3, 4].map(() => start(directory)));
    const winners = attempts.flatMap((a) => (a.status === 'fulfilled' ? [a.value] : []));
    const losers = attempts.flatMap((a) => (a.status === 'rejected' ? [String(a.reason)] : []));
    expect(winners).toHaveLength(1);
    expect(losers).toHaveLength(3);
    for (const loser of losers) expect(loser).toContain(`another server (pid ${process.pid})`);
    for (const winner of winners) {
      await query(winner.appUrl, 'SELECT 1');
      await winner.stop();
    }
    expect(await readdir(directory)).not.toContainEqual(expect.stringMatching(/^making-/));
  });

  it('exactly one of two processes that start on a new folder at the same moment wins', async () => {
    const directory = await scratchFolder();
    const children = [startProcess({ directory }), startProcess({ directory })];
    const outcomes = await Promise.all(
      children.map(async (child) =>
        Promise.race([child.started().then(() => 'started'), child.line('refused')]).catch(String),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'started')).toHaveLength(1);
    expect(outcomes.find((outcome) => outcome !== 'started')).toContain('another server (pid ');
  });
});

describe('stop', () => {
  const folder = sharedFolder();

  it('stop ends the embedded Postgres, and may be called twice', async () => {
    const directory = folder();
    const postgres = await start(directory);
    const { pid } = await serverIn(directory);
    await Promise.all([postgres.stop(), postgres.stop()]);
    await postgres.stop();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    await expect(query(postgres.appUrl, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('stop does not wait for clients that keep their connections', async () => {
    const directory = folder();
    const postgres = await start(directory);
    const hanging = query(postgres.appUrl, 'SELECT pg_sleep(600)').catch((error: unknown) => error);
    await postgres.stop();
    expect(await hanging).toBeInstanceOf(Error);
  });
});

describe('findEmbedded', () => {
  it('findEmbedded finds the database of a running server, and nothing else', async () => {
    const directory = await scratchFolder();
    expect(await findEmbedded(directory)).toBeNull();
    const child = startProcess({ directory });
    const { ownerUrl, appUrl, workerUrl } = await child.started();
    expect(await findEmbedded(directory)).toEqual({ ownerUrl, appUrl, workerUrl });
    process.kill(child.pid, 'SIGINT');
    await child.line('stopped');
    expect(await findEmbedded(directory)).toBeNull();
  });
});
