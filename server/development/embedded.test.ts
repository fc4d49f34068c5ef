import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, EmbeddedPostgresError, startEmbedded } from './embedded.ts';
import { query, scratchFolder, sharedFolder } from './embedded-test-harness.ts';

async function start(directory: string): Promise<EmbeddedPostgres> {
  return startEmbedded({ directory, durable: false });
}

function withUser(url: string, user: string, password: string): string {
  const changed = new URL(url);
  changed.username = user;
  changed.password = password;
  return String(changed);
}

describe('a first start', () => {
  const directory = sharedFolder();
  let postgres: EmbeddedPostgres;
  beforeAll(async () => {
    postgres = await start(directory());
  });
  afterAll(() => postgres.stop());

  it('the first start of the embedded Postgres creates three ordinary roles and a database owned by the first', async () => {
    const roles = await query(
      postgres.appUrl,
      `SELECT rolname, rolcanlogin, rolsuper OR rolcreatedb OR rolcreaterole OR rolbypassrls OR rolreplication AS privileged
       FROM pg_roles WHERE rolname LIKE 'cspm%' ORDER BY 1`,
    );
    expect(roles).toEqual(
      ['cspm_app', 'cspm_owner', 'cspm_worker'].map((rolname) => ({
        rolname,
        rolcanlogin: true,
        privileged: false,
      })),
    );
    const owner =
      'SELECT current_user, current_database(), pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = current_database()';
    for (const [url, current_user] of [
      [postgres.ownerUrl, 'cspm_owner'],
      [postgres.appUrl, 'cspm_app'],
      [postgres.workerUrl, 'cspm_worker'],
    ] as const) {
      expect(await query(url, owner)).toEqual([
        { current_user, current_database: 'cspm', owner: 'cspm_owner' },
      ]);
    }
    await query(postgres.ownerUrl, 'CREATE TABLE t (n int)');
    await expect(query(postgres.appUrl, 'CREATE TABLE u (n int)')).rejects.toThrow('permission');
  });

  it('the first start of the embedded Postgres stores UTF-8 and sorts by code point on every machine', async () => {
    const sorted =
      "SELECT string_agg(t, '' ORDER BY t) AS sorted FROM unnest(ARRAY['é','b','B','a','Z','ß']) AS t";
    expect(await query(postgres.appUrl, sorted)).toEqual([{ sorted: 'BZabßé' }]);
    const setup = `SELECT upper('é') AS upper, current_setting('server_encoding') AS encoding, current_setting('TimeZone') AS zone,
      datlocprovider AS provider, datlocale AS locale FROM pg_database WHERE datname = current_database()`;
    expect(await query(postgres.appUrl, setup)).toEqual([
      { upper: 'É', encoding: 'UTF8', zone: 'UTC', provider: 'b', locale: 'C.UTF-8' },
    ]);
  });

  it('the first start of the embedded Postgres requires a password from everyone, and gives the superuser none', async () => {
    const passwords = await readFile(join(postgres.directory, 'passwords.json'), 'utf8');
    const known = Object.values(JSON.parse(passwords)).map(String);
    expect(new Set(known).size).toBe(3);
    for (const password of ['', 'postgres', 'wrong', ...known]) {
      const url = withUser(postgres.ownerUrl, 'postgres', password);
      await expect(query(url, 'SELECT 1')).rejects.toThrow(/password/);
    }
    const url = withUser(postgres.ownerUrl, 'cspm_owner', 'wrong');
    await expect(query(url, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('the first start of the embedded Postgres listens on 127.0.0.1 and on no other address', async () => {
    const port = Number(new URL(postgres.appUrl).port);
    const answers = (host: string): Promise<boolean> =>
      new Promise((resolve) => {
        const socket = connect({ port, host });
        socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
        socket.on('connect', () => socket.destroy());
      });
    expect(await answers('127.0.0.1')).toBe(true);
    const others = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    for (const { address, family } of others) {
      if (family === 'IPv4' && address !== '127.0.0.1') expect(await answers(address)).toBe(false);
    }
  });

  it('the first start of the embedded Postgres lets no other user read the passwords or the data', async () => {
    const modeOf = async (name: string): Promise<number> =>
      (await stat(join(postgres.directory, name))).mode & 0o777;
    expect(await modeOf('passwords.json')).toBe(0o600);
    expect(await modeOf('cluster')).toBe(0o700);
    expect(await modeOf('lock')).toBe(0o700);
    expect(await modeOf('postgres.log')).toBe(0o600);
  });
});

describe('a later start', () => {
  const folder = sharedFolder();

  it('a later start of the embedded Postgres finds the data, under the same passwords', async () => {
    const directory = folder();
    const first = await start(directory);
    await query(first.ownerUrl, 'CREATE TABLE IF NOT EXISTS kept AS SELECT 42 AS n');
    await first.stop();
    const second = await start(directory);
    expect(await query(second.ownerUrl, 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
    expect(new URL(second.ownerUrl).password).toBe(new URL(first.ownerUrl).password);
    await second.stop();
  });

  it('a later start of the embedded Postgres gives the roles new passwords when the password file is lost', async () => {
    const directory = folder();
    const first = await start(directory);
    await query(first.ownerUrl, 'CREATE TABLE IF NOT EXISTS kept AS SELECT 42 AS n');
    await first.stop();
    await rm(join(directory, 'passwords.json'));
    const second = await start(directory);
    expect(await query(second.ownerUrl, 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
    for (const key of ['ownerUrl', 'appUrl', 'workerUrl'] as const) {
      expect(new URL(second[key]).password).not.toBe(new URL(first[key]).password);
      await query(second[key], 'SELECT 1');
    }
    await second.stop();
  });

  it('a later start of the embedded Postgres reports the remedy for passwords that are damaged or of another database', async () => {
    const directory = folder();
    await (await start(directory)).stop();
    const file = join(directory, 'passwords.json');
    const other = { owner: 'a'.repeat(32), app: 'b'.repeat(32), worker: 'c'.repeat(32) };
    await writeFile(file, JSON.stringify(other));
    await expect(start(directory)).rejects.toThrow(`the passwords in ${file} do not match`);
    await writeFile(file, '{"owner":');
    await expect(start(directory)).rejects.toThrow(`${file} is damaged; remove it`);
    await rm(file);
    await (await start(directory)).stop();
  });

  it('a later start of the embedded Postgres reports in one line why Postgres does not start, and releases the folder', async () => {
    const directory = folder();
    await (await start(directory)).stop();
    const control = join(directory, 'cluster', 'global', 'pg_control');
    const content = await readFile(control);
    await writeFile(control, Buffer.alloc(content.length));
    const failed = await start(directory).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(EmbeddedPostgresError);
    expect(String(failed)).toMatch(
      /Postgres did not start: .*PG_CONTROL_VERSION.*; see .*postgres\.log/,
    );
    expect(String(failed)).not.toContain('\n');
    await writeFile(control, content);
    await (await start(directory)).stop();
  });

  it('a later start of the embedded Postgres refuses a cluster of another Postgres version', async () => {
    const directory = folder();
    await (await start(directory)).stop();
    const file = join(directory, 'cluster', 'PG_VERSION');
    await writeFile(file, '17\n');
    await expect(start(directory)).rejects.toThrow(
      'was created by Postgres 17, but this release runs Postgres 18',
    );
    await writeFile(file, '18\n');
  });

  it('a later start of the embedded Postgres flushes commits to disk by default', async () => {
    const directory = folder();
    const settings = `SELECT name || '=' || setting AS s FROM pg_settings
      WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums') ORDER BY 1`;
    const durable = await startEmbedded({ directory });
    expect((await query(durable.appUrl, settings)).map(({ s }) => s)).toEqual([
      'data_checksums=on',
      'fsync=on',
      'full_page_writes=on',
      'synchronous_commit=on',
    ]);
    await durable.stop();
    const fast = await start(directory);
    expect((await query(fast.appUrl, settings)).map(({ s }) => s)).toEqual([
      'data_checksums=on',
      'fsync=off',
      'full_page_writes=off',
      'synchronous_commit=off',
    ]);
    await fast.stop();
  });
});

describe('a folder that cannot be used', () => {
  it('a folder that the embedded Postgres cannot use is reported with the remedy', async () => {
    const file = join(await scratchFolder(), 'file');
    await writeFile(file, '');
    const failed = await start(join(file, 'postgres')).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(EmbeddedPostgresError);
    expect(String(failed)).toContain(
      `cannot keep a database in ${join(file, 'postgres')}: ENOTDIR`,
    );
    expect(String(failed)).toContain('set DATA_DIR');
  });
});
