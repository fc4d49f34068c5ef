import { chmod, lstat, mkdir, readdir, readlink, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbedded } from './embedded.ts';
import { canEnter, osUserForPostgres } from './embedded-os-user.ts';
import { makeDirectory } from './embedded-place.ts';
import { type OsUser, run } from './embedded-process.ts';
import {
  query,
  scratchFolder,
  serverIn,
  sharedFolder,
  startProcess,
} from './embedded-test-harness.ts';

const isRoot = process.geteuid?.() === 0;

const [uidOfNobody, gidOfNobody] = await Promise.all([
  run('id', ['-u', 'nobody']),
  run('id', ['-g', 'nobody']),
]);
const nobody: OsUser = {
  name: 'nobody',
  uid: Number(uidOfNobody.output),
  gid: Number(gidOfNobody.output),
};
/** Only root can act as an ordinary user, and only in a checkout that others can access. */
const canBeNobody = isRoot && (await canEnter(nobody, import.meta.dirname));

describe.runIf(isRoot)('started by root', () => {
  const start = (options: { directory: string; elsewhere?: string[] }): Promise<EmbeddedPostgres> =>
    startEmbedded({ ...options, durable: false });

  it('Postgres started by root runs as another account, and reports when that account has no access', async () => {
    const parent = await scratchFolder();
    const directory = join(parent, 'postgres');
    const postgres = await start({ directory });
    const { pid } = await serverIn(directory);
    const { uid } = await stat(`/proc/${pid}`);
    expect(uid).not.toBe(0);
    expect(uid).toBe((await osUserForPostgres(() => undefined))?.uid);
    expect(postgres.notice).toBeNull();
    expect(postgres.directory).toBe(directory);
    await postgres.stop();

    await chmod(parent, 0o700);
    await expect(start({ directory })).rejects.toThrow(
      /can no longer reach the database in .*chmod/,
    );
  });

  describe('in a folder that the account cannot reach', () => {
    const folders = [sharedFolder(), sharedFolder()];
    let directory = '';
    let elsewhere: string[] = [];
    beforeAll(async () => {
      const [closed = '', other = ''] = folders.map((folder) => folder());
      await chmod(closed, 0o700);
      directory = join(closed, 'postgres');
      elsewhere = [other];
    });

    it('Postgres started by root in an inaccessible folder stores its data elsewhere, reports it, and finds it again', async () => {
      const first = await start({ directory, elsewhere });
      expect(first.directory.startsWith(join(elsewhere[0] ?? '', 'cspm'))).toBe(true);
      expect(first.notice).toBe(
        `The database is kept in ${first.directory}: Postgres runs as OS user "postgres", which cannot reach ${directory}, because root started the server.`,
      );
      await query(first.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS n');
      await first.stop();

      const second = await start({ directory, elsewhere });
      expect(second.directory).toBe(first.directory);
      expect(second.notice).toBe(first.notice);
      expect(await query(second.ownerUrl, 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
      await second.stop();
    });

    it('Postgres refuses to serve two folders that link to the same data concurrently', async () => {
      const first = await start({ directory, elsewhere });
      const copy = join(dirname(directory), 'copy');
      await mkdir(copy);
      await symlink(await readlink(join(directory, 'cluster')), join(copy, 'cluster'));
      await expect(start({ directory: copy, elsewhere })).rejects.toThrow(
        `another server (pid ${process.pid}) is using ${first.directory}`,
      );
      await first.stop();
    });

    it('Postgres reports missing data that it had stored elsewhere instead of creating an empty database', async () => {
      const first = await start({ directory, elsewhere });
      await first.stop();
      await rm(first.directory, { recursive: true });
      await expect(start({ directory, elsewhere })).rejects.toThrow(
        `the database was kept in ${first.directory}, which no longer exists; restore it, or remove ${directory}`,
      );
      // The operator starts over with an empty folder.
      await rm(directory, { recursive: true });
      await (await start({ directory, elsewhere })).stop();
    });
  });

  it('Postgres started by root ignores a folder that another user has prepared', async () => {
    const closed = await scratchFolder();
    await chmod(closed, 0o700);
    const directory = join(closed, 'postgres');
    const [theirs, ours] = [await scratchFolder(), await scratchFolder()];
    await run('/bin/sh', ['-c', `mkdir ${theirs}/cspm && chown ${nobody.uid} ${theirs}/cspm`]);
    const linked = await scratchFolder();
    await symlink(ours, join(linked, 'cspm'));
    await expect(start({ directory, elsewhere: [theirs, linked] })).rejects.toThrow(
      `can reach neither DATA_DIR nor ${theirs} nor ${linked}`,
    );
    expect(await readdir(join(theirs, 'cspm'))).toEqual([]);
    expect(await readdir(ours)).toEqual([]);
    const postgres = await start({ directory, elsewhere: [theirs, ours] });
    expect(postgres.directory.startsWith(join(ours, 'cspm'))).toBe(true);
    await postgres.stop();
  });

  it('Postgres started by root can use a folder that was created under a strict umask', async () => {
    const directory = join(await scratchFolder(), 'data', 'postgres');
    const before = process.umask(0o077);
    try {
      await makeDirectory(directory);
    } finally {
      process.umask(before);
    }
    expect((await lstat(directory)).mode & 0o777).toBe(0o711);
    const user = await osUserForPostgres(() => undefined);
    expect(user !== null && (await canEnter(user, directory))).toBe(true);
  });

  it.runIf(canBeNobody)(
    'Postgres started by root serves the data of an ordinary user as that user, who can use them afterwards',
    async () => {
      const directory = await scratchFolder(nobody);
      const child = startProcess({ directory }, nobody);
      await child.started();
      process.kill(child.pid, 'SIGINT');
      await child.line('stopped');

      const postgres = await start({ directory });
      const { pid } = await serverIn(directory);
      expect((await stat(`/proc/${pid}`)).uid).toBe(nobody.uid);
      await postgres.stop();

      const again = startProcess({ directory }, nobody);
      await again.started();
    },
  );
});

describe('started by an ordinary user', () => {
  it.skipIf(isRoot && !canBeNobody)(
    'Postgres started by an ordinary user runs as that user, in the given folder',
    async () => {
      // An ordinary user runs all other tests this way; root runs this one.
      const as = isRoot ? nobody : null;
      const directory = await scratchFolder(as);
      const child = startProcess({ directory: join(directory, 'postgres') }, as);
      const postgres = await child.started();
      expect(postgres.notice).toBeNull();
      expect(postgres.directory).toBe(join(directory, 'postgres'));
      const uid = as?.uid ?? process.geteuid?.();
      expect((await stat(join(postgres.directory, 'cluster'))).uid).toBe(uid);
      expect((await stat(postgres.directory)).mode & 0o777).toBe(0o700);
      await query(postgres.appUrl, 'SELECT 1');
      process.kill(child.pid, 'SIGINT');
      await child.line('stopped');
    },
  );

  it.skipIf(isRoot && !canBeNobody)(
    'Postgres started by an ordinary user refuses a folder without access, with the remedy',
    async () => {
      const directory = await scratchFolder();
      await chmod(directory, 0o555);
      const child = startProcess(
        { directory: join(directory, 'postgres') },
        isRoot ? nobody : null,
      );
      expect(await child.line('refused')).toMatch(
        /cannot keep a database in .*EACCES.*set DATA_DIR/,
      );
    },
  );
});
