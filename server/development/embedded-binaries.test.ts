import { chmod, cp, lstat, readdir, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { installedBinaries, makeComplete, prepareBinaries } from './embedded-binaries.ts';
import { osUserForPostgres } from './embedded-os-user.ts';
import { scratchFolder, sharedFolder } from './embedded-test-harness.ts';

const isRoot = process.geteuid?.() === 0;

const folder = sharedFolder();

/** The package as npm installs it under `ignore-scripts`: without links, and one program not executable. */
async function freshlyInstalled(): Promise<string> {
  const native = join(folder(), 'package', 'native');
  for (const link of await linksIn(native)) await rm(join(native, 'lib', link));
  await chmod(join(native, 'bin', 'initdb'), 0o644);
  return native;
}

async function linksIn(native: string): Promise<string[]> {
  const entries = await readdir(join(native, 'lib'), { withFileTypes: true });
  return entries.filter((entry) => entry.isSymbolicLink()).map((entry) => entry.name);
}

describe('the installed programs', () => {
  beforeAll(async () => {
    await makeComplete(installedBinaries());
    const installed = join(installedBinaries(), '..');
    await cp(installed, join(folder(), 'package'), { recursive: true, verbatimSymlinks: true });
  });

  it('the installed Postgres programs run although npm ran no install script', async () => {
    const native = await freshlyInstalled();
    const as = await osUserForPostgres(() => undefined);
    const home = await scratchFolder();
    const binaries = await prepareBinaries(native, home, as);
    expect(binaries).toEqual({
      initdb: join(native, 'bin', 'initdb'),
      postgres: join(native, 'bin', 'postgres'),
      majorVersion: 18,
    });
    expect((await lstat(binaries.initdb)).mode & 0o777).toBe(0o755);
    expect(await readlink(join(native, 'lib', 'libpq.so.5'))).toMatch(/^libpq\.so\.5\.\d+$/);
    expect(await readdir(home)).toEqual([]);
  });

  it('concurrent processes prepare the installed Postgres programs without conflicts', async () => {
    const native = await freshlyInstalled();
    const done = await Promise.all(Array.from({ length: 8 }, () => makeComplete(native)));
    expect(done).toEqual(Array(8).fill(true));
    expect((await linksIn(native)).sort()).toEqual((await linksIn(installedBinaries())).sort());
    expect(await makeComplete(native)).toBe(true);
  });

  it.runIf(isRoot)(
    'the installed Postgres programs are copied when the other account cannot reach them',
    async () => {
      const native = await freshlyInstalled();
      // Like a home folder that is closed to others, with files written under umask 077.
      await chmod(folder(), 0o700);
      await chmod(join(native, 'lib'), 0o700);
      const as = await osUserForPostgres(() => undefined);
      const home = await scratchFolder();
      const binaries = await prepareBinaries(native, home, as);
      expect(binaries.postgres.startsWith(join(home, 'binaries-'))).toBe(true);
      expect(binaries.majorVersion).toBe(18);
      // The next start uses the same copy.
      const before = await lstat(binaries.postgres);
      expect(await prepareBinaries(native, home, as)).toEqual(binaries);
      expect((await lstat(binaries.postgres)).ino).toBe(before.ino);
      expect(await readdir(home)).toHaveLength(1);
    },
  );

  it('Postgres programs that cannot run on this machine are reported with the remedy', async () => {
    const native = await freshlyInstalled();
    await cp('/bin/false', join(native, 'bin', 'postgres'));
    await expect(prepareBinaries(native, await scratchFolder(), null)).rejects.toThrow(
      /the embedded Postgres does not run on this system \(.*\); set DATABASE_URL/,
    );
  });
});
