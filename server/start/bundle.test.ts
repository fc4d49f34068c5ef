import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Analyst } from '../../tests/kit/analyst.ts';
import { newCertificate } from '../../tests/kit/certificate.ts';
import { cloneDatabase } from '../../tests/kit/database.ts';
import { bucket } from '../../tests/kit/export-records.ts';
import { canLimitFileSize } from '../../tests/kit/file-size-limit.ts';
import { bundled, onDatabase, ServerProcess } from '../../tests/kit/server-process.ts';
import { type Call, send } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';
import { WebhookReceiver } from '../../tests/kit/webhook-receiver.ts';
import { newApiKey } from '../modules/auth/credentials/api-key.ts';

const SERVER = fileURLToPath(new URL('..', import.meta.url));
const BUILD_MODULE = new URL('../../scripts/build.mjs', import.meta.url).href;

describe('the bundled server', () => {
  const folder = bundled();

  const textOf = (name: string) => readFile(join(folder, name), 'utf8');

  /** The file and all that Node loads with it. */
  async function importsOf(name: string, found = new Set<string>()): Promise<Set<string>> {
    if (found.has(name)) return found;
    found.add(name);
    const statements = (await textOf(name)).matchAll(/\b(?:from|import)\s*"\.\/([\w.-]+\.mjs)"/g);
    for (const [, file = ''] of statements) await importsOf(file, found);
    return found;
  }

  it('the bundled server imports no package that the server has in another version, because it would load the wrong one', async () => {
    const files = (await readdir(folder)).filter((name) => name.endsWith('.mjs'));
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
    const imported = new Set(
      texts.flatMap((text) =>
        [...text.matchAll(/\bimport\s*(?:[\w$\s,*{}]+from\s*)?"(@[^/"]+|[^/"@]+)/g)].map(
          ([, name = '']) => name,
        ),
      ),
    );
    expect(imported).toContain('piscina');
    // Node finds the packages of the root from the bundled, not those of the server's own folder.
    const own = await readdir(join(SERVER, 'node_modules')).catch(() => []);
    expect(own.filter((name) => imported.has(name))).toEqual([]);
  });

  it('the bundled server understands ranges of addresses in WEBHOOK_ALLOW_CIDRS', async () => {
    const wrong = new ServerProcess(join(folder, 'main.mjs'), {
      WEBHOOK_ALLOW_CIDRS: '10.20.0.0/16',
      RATE_LIMIT: 'none',
    });
    expect((await wrong.ended()).code).toBe(1);
    expect(wrong.output).toContain('The configuration has 1 fault(s)');
    expect(wrong.output).toContain('RATE_LIMIT');
  });

  it('the bundled server loads Prisma Client for the first query that needs it, not at its start', async () => {
    const texts = await Promise.all([...(await importsOf('main.mjs'))].map(textOf));
    const isPrisma = (text: string) => text.includes('PrismaClientKnownRequestError');
    expect(texts.some((text) => text.includes('was sent after its connection was released'))).toBe(
      true,
    );
    expect(texts.some(isPrisma)).toBe(false);
    const files = (await readdir(folder)).filter((name) => name.endsWith('.mjs'));
    expect((await Promise.all(files.map(textOf))).some(isPrisma)).toBe(true);
  });

  it('the bundled server finds every name that it imports from a package at run time', async () => {
    const files = (await readdir(folder)).filter((name) => name.endsWith('.mjs'));
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
    const asked = texts.flatMap((text) => [
      ...text.matchAll(/\{([\w\s,:$]+)\}\s*=\s*await import\("(\.\/[\w.-]+)"\)/g),
    ]);
    const filesAsked = new Set(asked.map(([, , file]) => file));
    expect(filesAsked.size).toBeGreaterThan(4);
    for (const [, names = '', file = ''] of asked) {
      const exported: object = await import(pathToFileURL(join(folder, file)).href);
      for (const binding of names.split(',')) {
        const [name = ''] = binding.trim().split(':');
        expect(exported, `${name} of ${file}`).toHaveProperty(name);
      }
    }
  });

  it('the bundled server executes no configuration file of graphile-worker in its working directory', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'cspm-test-'));
    const offered = join(cwd, '.graphile-workerrc.cjs');
    await writeFile(offered, "require('node:fs').writeFileSync('was-run', '');");
    // It loads all of its modules before it refuses its configuration.
    const env = { PATH: process.env['PATH'], RATE_LIMIT: 'none' };
    const started = promisify(execFile)(process.execPath, [join(folder, 'main.mjs')], { cwd, env });
    await expect(started).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('RATE_LIMIT'),
    });
    expect(await readdir(cwd)).toEqual(['.graphile-workerrc.cjs']);
    await rm(cwd, { recursive: true });
  });

  it('the bundled server starts without loading the HTTP client of Node, which takes 20 ms and 12 MB', async () => {
    const database = await cloneDatabase();
    const preload = join(folder, 'list-loaded.cjs');
    await writeFile(
      preload,
      "process.on('exit', () => console.log(process.moduleLoadList.join()));",
    );
    const server = new ServerProcess(join(folder, 'main.mjs'), {
      ...onDatabase(database),
      NODE_OPTIONS: `--require ${preload}`,
    });
    try {
      await server.url();
      server.signal('SIGTERM');
      expect((await server.ended()).code).toBe(0);
      expect(server.output).toContain('NativeModule http');
      expect(server.output).not.toContain('undici');
    } finally {
      await server.kill();
      await database.drop();
    }
  });

  it('a bundled server that cannot load Prisma Client exits with code 1 to be restarted, because it could never load it later', async () => {
    const broken = await mkdtemp(join(folder, '..', 'test-'));
    const database = await cloneDatabase();
    const { key } = newApiKey();
    try {
      await cp(folder, broken, { recursive: true });
      const names = await readdir(broken);
      const client = names.filter((name) => /^prisma-client-.*\.mjs$/.test(name));
      expect(client).toHaveLength(1);
      await rm(join(broken, client.join()));
      const whole = new ServerProcess(join(folder, 'main.mjs'), {
        ...onDatabase(database),
        BOOTSTRAP_EMAIL: 'first@example.com',
        BOOTSTRAP_API_KEY: key,
      });
      await whole.url();
      await whole.kill();
      const server = new ServerProcess(join(broken, 'main.mjs'), onDatabase(database));
      const url = await server.url();
      const listed = await send(`${url}/profiles`, { headers: { 'x-api-key': key } });
      expect(listed.status).toBe(500);
      expect((await server.ended()).code).toBe(1);
    } finally {
      await rm(broken, { recursive: true });
      await database.drop();
    }
  });

  it('the bundled server scans, and writes a PDF report with fonts from its own folder', async () => {
    const database = await cloneDatabase();
    const { key } = newApiKey();
    const server = new ServerProcess(join(folder, 'main.mjs'), {
      ...onDatabase(database),
      BOOTSTRAP_EMAIL: 'first@example.com',
      BOOTSTRAP_API_KEY: key,
    });
    try {
      const url = await server.url();
      const call = (path: string, request?: Call) => send(url + path, request);
      const analyst = new Analyst({ call }, { 'x-api-key': key }, '');
      const { id } = await analyst.scan([await analyst.project([bucket('one')])]);
      const report = await analyst.call(`/scans/${id}/report?format=pdf`);
      expect(report.status).toBe(200);
      expect(report.text).toMatch(/^%PDF-/);
      expect(report.text.trimEnd()).toMatch(/%%EOF$/);
    } finally {
      await server.kill();
      await database.drop();
    }
  });

  it('the bundled server delivers events over TLS from a thread of its own', async () => {
    const database = await cloneDatabase();
    const { key } = newApiKey();
    const { privateKey, certificate } = newCertificate({ address: '127.0.0.1' });
    const receiver = await WebhookReceiver.start({ key: privateKey, cert: certificate });
    const authority = join(folder, 'authority.pem');
    await writeFile(authority, certificate);
    const server = new ServerProcess(join(folder, 'main.mjs'), {
      ...onDatabase(database),
      BOOTSTRAP_EMAIL: 'first@example.com',
      BOOTSTRAP_API_KEY: key,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      NODE_EXTRA_CA_CERTS: authority,
    });
    try {
      const url = await server.url();
      const call = (path: string, request?: Call) => send(url + path, request);
      const admin = new Analyst({ call }, { 'x-api-key': key }, '');
      const body = { url: receiver.url, events: ['source.failed'] };
      const { id } = await admin.ask(201, '/webhooks', { method: 'POST', body });
      await admin.ask(202, `/webhooks/${id}/test`, { method: 'POST' });
      await until('the event', async () => receiver.received.length === 1);
      server.signal('SIGTERM');
      expect((await server.ended()).code).toBe(0);
    } finally {
      await server.kill();
      await receiver.close();
      await database.drop();
    }
  });
});

describe('the build of the server', () => {
  it.skipIf(!canLimitFileSize())(
    'a build on a full disk fails without incomplete files, and the next one builds (skipped without prlimit)',
    async () => {
      const dist = fileURLToPath(new URL('../../dist', import.meta.url));
      await mkdir(dist, { recursive: true });
      const folder = await mkdtemp(join(dist, 'test-'));
      try {
        const build = `import { buildServer } from ${JSON.stringify(BUILD_MODULE)};
          console.log(await buildServer(process.argv[1]));`;
        const node = [process.execPath, '--input-type=module', '--eval', build, folder];
        const onFullDisk = promisify(execFile)('prlimit', ['--fsize=200000', ...node]);
        await expect(onFullDisk).rejects.toThrow('file too large');
        expect(await readdir(folder)).toEqual([]);
        expect((await promisify(execFile)('env', node)).stdout).toBe('true\n');
        expect(await readdir(folder)).toContain('main.mjs');
        expect((await promisify(execFile)('env', node)).stdout).toBe('false\n');
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );
});
