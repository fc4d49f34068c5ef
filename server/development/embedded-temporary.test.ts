import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sight } from './embedded-process.ts';
import { startTemporary } from './embedded-temporary.ts';
import { query, scratchFolder, serverIn, startProcess } from './embedded-test-harness.ts';

it('a temporary Postgres lets its owner clone databases, and leaves no files behind', async () => {
  const base = await scratchFolder();
  const postgres = await startTemporary({ base });
  expect(await query(postgres.appUrl, 'SHOW fsync')).toEqual([{ fsync: 'off' }]);
  const maintenance = new URL(postgres.ownerUrl);
  maintenance.pathname = '/postgres';
  await query(postgres.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS n');
  await query(String(maintenance), 'CREATE DATABASE clone TEMPLATE cspm');
  const clone = new URL(postgres.ownerUrl);
  clone.pathname = '/clone';
  expect(await query(String(clone), 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
  const { pid } = await serverIn(postgres.directory);
  await postgres.stop();
  await postgres.stop();
  expect((await sight(pid)).running).toBe(false);
  expect(await readdir(base)).toEqual([]);
});

it('a start of a temporary Postgres removes the leftovers of killed test runs, and nothing of live ones', async () => {
  const base = await scratchFolder();
  const live = await startTemporary({ base });
  const directory = join(base, 'cspm-temporary-killed');
  const child = startProcess({ directory });
  await child.started();
  const { pid } = await serverIn(directory);
  await child.kill();

  const postgres = await startTemporary({ base });
  expect((await sight(pid)).running).toBe(false);
  await expect(access(directory)).rejects.toThrow('ENOENT');
  await query(live.appUrl, 'SELECT 1');
  await postgres.stop();
  await live.stop();
});
