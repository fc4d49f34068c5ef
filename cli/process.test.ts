import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, open, readdir, realpath, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from './package.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SAMPLE = fileURLToPath(new URL('../samples/shop-prod.ndjson', import.meta.url));
/** Another warning, which is printed. */
const WARN = "setTimeout(()=>process.emitWarning('Another'))";
/** Interrupts the process some milliseconds after it begins to handle the signal. */
const interruptAfter = (ms: number) =>
  `const%20t=setInterval(()=>{if(process.listenerCount('SIGINT')>0){clearInterval(t);setTimeout(()=>process.kill(process.pid,'SIGINT'),${ms})}},1)`;

describe('the process of cspm', () => {
  let server: Server;
  let environment: NodeJS.ProcessEnv;

  beforeAll(async () => {
    server = createServer(() => {}).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    environment = {
      ...process.env,
      CSPM_URL: `http://127.0.0.1:${port}`,
      CSPM_API_KEY: 'cspm_key',
    };
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  function start(
    args: readonly string[],
    output: 'pipe' | 'ignore' | number = 'pipe',
    more: NodeJS.ProcessEnv = {},
    messages: 'pipe' | number = 'pipe',
  ) {
    const child = spawn(process.execPath, ['--import', 'tsx', 'cli/cspm.ts', ...args], {
      cwd: ROOT,
      env: { ...environment, ...more },
      stdio: ['ignore', output, messages],
    });
    const written = child.stderr === null ? '' : text(child.stderr).catch(() => '');
    const ended = Promise.all([once(child, 'close'), written]).then(
      ([[code, signal], messages]) => ({ code, signal, messages }),
    );
    return { child, ended };
  }

  it.each([
    [['findings'], 'SIGINT', 130, 'Interrupted.\n'],
    [['findings', '--format', 'csv'], 'SIGHUP', 129, 'The terminal was closed.\n'],
    [['posture'], 'SIGTERM', 143, 'Terminated.\n'],
    [['scan', '--project', 'shop'], 'SIGTERM', 143, 'Terminated.\n'],
  ] as const)(
    'cspm %j ends at the first %s with %i while the server does not answer',
    async (args, signal, code, messages) => {
      const asked = once(server, 'request') as Promise<[IncomingMessage]>;
      const { child, ended } = start(args);
      const [request] = await asked;
      const given = once(request.socket, 'close');
      child.kill(signal);
      await given;
      expect(await ended).toEqual({ code, signal: null, messages });
    },
  );

  it('cspm scan --local exits with 130 after a SIGINT, and writes no report', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cspm-interrupted-'));
    try {
      const args = ['scan', '--local', SAMPLE, '--output', join(folder, 'report.txt')];
      const { ended } = start(args, 'ignore', {
        NODE_OPTIONS: `--import=data:text/javascript,${interruptAfter(0)}`,
      });
      expect(await ended).toEqual({ code: 130, signal: null, messages: 'Interrupted.\n' });
      expect(await readdir(folder)).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it.skipIf(process.platform === 'win32').each([
    ['named', []],
    ['gzipped.gz', []],
    ['plan.json', ['--format', 'json']],
  ])(
    'cspm scan --local ends at a SIGINT while the writer of the pipe %s is silent',
    async (name, more) => {
      const folder = await mkdtemp(join(tmpdir(), 'cspm-pipe-'));
      const pipe = join(folder, name);
      await promisify(execFile)('mkfifo', [pipe]);
      // Reading and writing, so that neither side waits for the other one.
      const writer = await open(pipe, 'r+');
      try {
        const { ended } = start(['scan', '--local', pipe, ...more], 'ignore', {
          NODE_OPTIONS: `--import=data:text/javascript,${interruptAfter(500)}`,
        });
        const { code, signal, messages } = await ended;
        // The exit code, if the process was interrupted before the read began.
        expect([130, 'SIGINT']).toContain(code ?? signal);
        expect(messages).toBe('Interrupted.\n');
      } finally {
        await writer.close();
        await rm(folder, { recursive: true });
      }
    },
  );

  it('cspm --version prints the version of the package to standard output, exits with 0 and is named in the help', async () => {
    const printed = async (...args: string[]) => {
      const { child, ended } = start(args);
      const output = text(child.stdout as Readable);
      expect(await ended).toEqual({ code: 0, signal: null, messages: '' });
      return output;
    };
    expect(await printed('--version')).toBe(`${packageJson.version}\n`);
    expect(await printed('help')).toContain('cspm --version');
  });

  it('npm run cspm reads a relative path from the folder in which npm was called, and names the absolute path of a missing file', async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'cspm-caller-')));
    try {
      const scan = async (file: string) => {
        const args = ['--prefix', ROOT, 'run', '--silent', 'cspm', '--', 'scan', '--local', file];
        const child = spawn('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
        const [[code], messages] = await Promise.all([once(child, 'close'), text(child.stderr)]);
        return { code, messages };
      };
      await copyFile(SAMPLE, join(folder, 'export.ndjson'));
      expect(await scan('export.ndjson')).toMatchObject({ code: 1 });
      const missing = join(folder, 'nowhere.ndjson');
      expect(await scan('nowhere.ndjson')).toEqual({
        code: 2,
        messages: `--local: cannot read ${missing}: there is no such file.\n`,
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('cspm names the missing credentials of Google without a warning about the search for a metadata server', async () => {
    const broken = createServer(({ socket }) => socket.destroy()).listen(0, '127.0.0.1');
    await once(broken, 'listening');
    const { port } = broken.address() as AddressInfo;
    const { ended } = start(['scan', '--gcp', 'projects/shop-prod'], 'pipe', {
      HOME: '/nonexistent',
      CLOUDSDK_CONFIG: '',
      GOOGLE_APPLICATION_CREDENTIALS: '',
      METADATA_SERVER_DETECTION: 'ping-only',
      GCE_METADATA_HOST: `127.0.0.1:${port}`,
      NODE_OPTIONS: `--import=data:text/javascript,${WARN}`,
    });
    const { messages } = await ended;
    expect(messages).toContain('No Application Default Credentials were found on this machine.');
    expect(messages).not.toContain('MetadataLookupWarning');
    expect(messages).toContain('Another');
    broken.close();
  });

  it.each([
    [['nothing'], 2],
    [['scan', '--local', 'samples/shop-prod.ndjson', '--fail-on', 'never'], 0],
    [['inventory', 'validate', 'README.md'], 2],
  ] as const)(
    'cspm %j exits with %i although nobody reads standard error, or neither output',
    async (args, code) => {
      for (const closed of [['stderr'], ['stderr', 'stdout']] as const) {
        const { child, ended } = start(args);
        child.stdout?.resume();
        for (const name of closed) child[name]?.destroy();
        expect(await ended).toMatchObject({ code });
      }
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'cspm exits with the code of its result although standard error cannot be written',
    async () => {
      const full = await open('/dev/full', 'w');
      try {
        const args = ['scan', '--local', SAMPLE, '--fail-on', 'never'];
        const { ended } = start(args, 'ignore', {}, full.fd);
        expect(await ended).toMatchObject({ code: 0 });
      } finally {
        await full.close();
      }
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'cspm says that standard output cannot be written, and does not exit with the code of findings',
    async () => {
      const full = await open('/dev/full', 'w');
      try {
        const { ended } = start(['scan', '--local', SAMPLE], full.fd);
        const { code, messages } = await ended;
        expect(code).toBe(4);
        expect(messages).toContain('Cannot write to standard output: ENOSPC');
      } finally {
        await full.close();
      }
    },
  );
});
