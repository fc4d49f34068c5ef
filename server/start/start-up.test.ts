import { once } from 'node:events';
import { chmod, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, emptyDatabase, type TestDatabase } from '../../tests/kit/database.ts';
import { freePort } from '../../tests/kit/free-port.ts';
import { onDatabase, type ServerProcess, serverProcesses } from '../../tests/kit/server-process.ts';
import { send } from '../../tests/kit/test-server.ts';
import { runningServer, stopServer } from '../development/embedded-server.ts';
import { newApiKey } from '../modules/auth/credentials/api-key.ts';
import { newId } from '../platform/ids.ts';

const start = serverProcesses();

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});

afterAll(() => database.drop());

/** The non-empty lines that a failed start prints. */
async function refusalOf(server: ServerProcess): Promise<{ code: number | null; lines: string[] }> {
  const { code } = await server.ended();
  return { code, lines: server.output.split('\n').filter((line) => line.trim() !== '') };
}

function keyIn(text: string): string {
  return /API key\s+(\S+)/.exec(text)?.[1] ?? '';
}

/** The API key that a first start prints. */
async function printedKey(server: ServerProcess): Promise<string> {
  return keyIn(await server.line(/API key/));
}

const meWith = (key: string, url: string) =>
  send(`${url}/auth/me`, { headers: { 'x-api-key': key } });

describe('a start fails', () => {
  it('a start with an invalid configuration fails with exit code 1, lists all faults and opens no port', async () => {
    const [port, dataDir] = [await freePort(), await scratchFolder()];
    const server = start({
      NODE_ENV: 'production',
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_APP_URL: 'mysql://nope',
      RATE_LIMIT: 'many',
      TRUST_PROXY: 'true',
      APP_SECRET: 'short',
      WORKER: 'sometimes',
    });
    const { code, lines } = await refusalOf(server);
    expect(code).toBe(1);
    for (const name of ['DATABASE_APP_URL', 'RATE_LIMIT', 'TRUST_PROXY', 'WORKER']) {
      expect(
        lines.filter((line) => line.includes(name)),
        name,
      ).toHaveLength(1);
    }
    expect(server.output).not.toContain('short');
    expect(await accepts(port)).toBe(false);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('a start on a port in use fails with exit code 1 and one line with the remedy', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    const port = await portOf(holder);
    const server = start({ ...onDatabase(database), PORT: String(port) });
    const { code, lines } = await refusalOf(server);
    holder.close();
    expect(code).toBe(1);
    expect(lines).toEqual([
      `Another program is listening on 127.0.0.1:${port}; stop it or set PORT.`,
    ]);
  });

  it('a start without a usable folder for temporary files fails with exit code 1 and one line with the remedy', async () => {
    const missing = join(await scratchFolder(), 'missing');
    const { code, lines } = await refusalOf(start({ ...onDatabase(database), TMPDIR: missing }));
    expect(code).toBe(1);
    expect(lines).toEqual([
      `Cannot write temporary files in ${missing} (ENOENT); give this user write access to the folder, or set TMPDIR to another one.`,
    ]);
  });

  it('a start without a reachable database fails with exit code 1 and one line', async () => {
    const port = await freePort();
    const server = start({ DATABASE_URL: `postgres://u:secret-word@127.0.0.1:${port}/x` });
    const { code, lines } = await refusalOf(server);
    expect(code).toBe(1);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('DATABASE_URL');
    expect(server.output).not.toContain('secret-word');
  });
});

describe('a start in production', () => {
  it.each(['off', 'only'])(
    'a start in production with WORKER=%s writes log lines and a few plain ones to standard output, among them warnings of the configuration',
    async (WORKER) => {
      const server = start({
        ...onDatabase(database),
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        LOG_LEVEL: 'info',
        APP_SECRET: 'a secret of thirty-two bytes or more',
        WEB_URL: 'https://posture.example.com',
        MAIL_URL: 'smtp://127.0.0.1:1',
        BREAK_GLASS_ENABLED: 'true',
        GOOGLE_APPLICATION_CREDENTIALS: '/nowhere/key.json',
        GLOBAL_API_KEY: 'g'.repeat(32),
        GLOBAL_API_KEY_TENANT: newId(),
        WORKER,
      });
      await server.line(WORKER === 'off' ? /^Serving on/ : /^Working the queue/);
      server.signal('SIGTERM');
      expect((await server.ended()).code).toBe(0);
      const lines = server.standardOutput.split('\n').filter((line) => line !== '');
      const logged = lines
        .filter(
          (line) => !/^(Serving on|Console:|API documentation:|Working the queue;) /.test(line),
        )
        .map((line) => JSON.parse(line).msg);
      for (const variable of [
        'BREAK_GLASS_ENABLED',
        'GOOGLE_APPLICATION_CREDENTIALS',
        'GLOBAL_API_KEY_TENANT',
      ]) {
        expect(logged).toContainEqual(expect.stringMatching(`^${variable}: `));
      }
    },
  );
});

describe('a server whose workers cannot start', () => {
  it('a server whose workers cannot start prints the reason and ends with exit code 1, though it already serves', async () => {
    const broken = await cloneDatabase();
    try {
      // The worker's role finds no migrations of the queue, tries to apply them and may not.
      await broken.owner.query('ALTER TABLE graphile_worker.migrations ENABLE ROW LEVEL SECURITY');
      const server = start(onDatabase(broken));
      await server.url();
      expect((await server.ended()).code).toBe(1);
      expect(server.output).toContain('permission denied');
    } finally {
      await broken.drop();
    }
  });
});

describe('two servers that start concurrently on an empty database', () => {
  it('two servers that start concurrently on an empty database both become ready, and create one first tenant', async () => {
    const empty = await emptyDatabase();
    const { key } = newApiKey();
    const environment = {
      ...onDatabase(empty),
      APP_SECRET: 'a secret of thirty-two bytes or more',
      BOOTSTRAP_EMAIL: 'first@example.com',
      BOOTSTRAP_API_KEY: key,
    };
    const servers = [start(environment), start(environment)];
    const urls = await Promise.all(servers.map((server) => server.url()));
    for (const url of urls) {
      expect((await send(`${url}/health/ready`)).json).toMatchObject({ status: 'ok' });
      expect((await send(`${url}/auth/me`, { headers: { 'x-api-key': key } })).status).toBe(200);
    }
    for (const table of ['tenants', 'users', 'memberships', 'api_keys']) {
      const { rows } = await empty.owner.query(`SELECT 1 FROM identity.${table}`);
      expect(rows, table).toHaveLength(1);
    }
    await Promise.all(servers.map((server) => server.kill()));
    await empty.drop();
  });
});

describe('the first start in development', () => {
  it('the first start in development does not print secrets that the operator gave', async () => {
    const empty = await emptyDatabase();
    const { key } = newApiKey();
    const server = start({
      ...onDatabase(empty),
      NODE_ENV: 'development',
      DATA_DIR: await scratchFolder(),
      BOOTSTRAP_EMAIL: 'first@example.com',
      BOOTSTRAP_PASSWORD: 'a password of the operator',
      BOOTSTRAP_API_KEY: key,
    });
    const url = await server.url();
    await server.line(/BOOTSTRAP_API_KEY/);
    expect((await send(`${url}/auth/me`, { headers: { 'x-api-key': key } })).status).toBe(200);
    expect(server.output).toContain('(BOOTSTRAP_PASSWORD)');
    expect(server.output).not.toContain('a password of the operator');
    expect(server.output).not.toContain(key.slice(-43));
    await server.kill();
    await empty.drop();
  });
});

describe('a first start that fails', () => {
  it('a first start on a port in use creates no credentials, and the next start prints them', async () => {
    const empty = await emptyDatabase();
    const holder = createServer().listen(0, '127.0.0.1');
    const port = await portOf(holder);
    const environment = { ...onDatabase(empty), DATA_DIR: await scratchFolder() };
    const refused = await refusalOf(start({ ...environment, PORT: String(port) }));
    holder.close();
    expect(refused.code).toBe(1);
    expect((await empty.owner.query('SELECT 1 FROM identity.users')).rows).toEqual([]);
    const server = start({ ...environment, PORT: String(port) });
    const url = await server.url();
    expect((await meWith(await printedKey(server), url)).status).toBe(200);
    await server.kill();
    await empty.drop();
  });

  it('a first start that fails after it created the credentials has printed them', async () => {
    const database = await cloneDatabase();
    // The demo project cannot be created.
    await database.owner.query('ALTER TABLE projects ADD CHECK (false)');
    const environment = { ...onDatabase(database), DATA_DIR: await scratchFolder() };
    const failed = start(environment);
    expect((await failed.ended()).code).toBe(1);
    const key = keyIn(failed.output);
    const server = start(environment);
    expect((await meWith(key, await server.url())).status).toBe(200);
    await server.kill();
    await database.drop();
  });
});

describe('a server on its own database, in DATA_DIR,', () => {
  it('a server with its database in DATA_DIR locks the folder while it runs, starts again after a kill, and stops cleanly', async () => {
    const dataDir = await scratchFolder();
    const first = start({ DATA_DIR: dataDir });
    const url = await first.url();
    const key = await printedKey(first);
    const me = (at: string) => meWith(key, at);
    const who = await me(url);
    expect(who.status).toBe(200);
    const demo = await send(`${url}/projects/demo`, { headers: { 'x-api-key': key } });
    expect(demo.json).toMatchObject({ inventory: { assets: expect.any(Number) } });

    const second = await refusalOf(start({ DATA_DIR: dataDir }));
    expect(second.code).toBe(1);
    expect(second.lines).toHaveLength(1);
    expect(second.lines[0]).toContain(String(first.pid));
    expect((await me(url)).status).toBe(200);

    // The killed server leaves its Postgres running; the next one takes it over.
    await first.kill();
    const third = start({ DATA_DIR: dataDir });
    expect((await me(await third.url())).json).toEqual(who.json);
    expect(third.output).not.toContain('First credentials');
    third.signal('SIGTERM');
    expect(await third.ended()).toEqual({ code: 0, signal: null });
    expect(await runningServer(await realpath(join(dataDir, 'postgres/cluster')))).toBeNull();
  }, 300_000);
});

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) {
    const cluster = await realpath(join(folder, 'postgres/cluster')).catch(() => null);
    const server = cluster === null ? null : await runningServer(cluster);
    if (server !== null) await stopServer(server);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

/** A DATA_DIR that the account which runs Postgres for root can access. */
async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cspm-start-'));
  await chmod(folder, 0o711);
  folders.push(folder);
  return folder;
}

async function portOf(server: Server): Promise<number> {
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
