import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyDatabase, type TestDatabase } from '../tests/kit/database.ts';
import { VIEWER } from '../tests/kit/google/asset-inventory.ts';
import { FakeGoogle } from '../tests/kit/google/fake-google.ts';
import { onDatabase } from '../tests/kit/server-process.ts';
import { until } from '../tests/kit/until.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const [WITHOUT_SERVER = ''] =
  /^## Scan your Google Cloud project\n.*?(?=^## )/ms.exec(README) ?? [];
const [FIRST_STEPS = ''] = /^## First steps with the server\n.*?(?=^## )/ms.exec(README) ?? [];
const TESTED = WITHOUT_SERVER + FIRST_STEPS;
const [PARENT = ''] = /projects\/[a-z-]+/.exec(WITHOUT_SERVER) ?? [];

const ADDRESS = 'http://127.0.0.1:3000';
const KEY = 'cspm_…';
const USER = 'you@shop.example';
const SCREEN = { lines: 24, columns: 80 };

interface Block {
  readonly title: string;
  readonly language: string;
  readonly code: string;
  /** The text between the block before and this one. */
  readonly introduction: string;
}

interface Done {
  readonly code: number | null;
  readonly output: string;
  readonly messages: string;
}

/** What each shell block prints, by a part of the block. The other blocks start the server and set variables. */
const PRINTED: Readonly<Record<string, (done: Done) => Promise<void> | void>> = {
  '--gcp': ({ output, messages }) => {
    expect(output).toMatch(/^CRITICAL {2}bucket-public/m);
    expect(messages).toContain(`Scanned`);
  },
  'inventory pull': ({ output, messages }) => {
    expect(messages).toContain(`of ${PARENT} in 3 pages`);
    expect(output).toMatch(/^CRITICAL {2}bucket-public/m);
  },
  '"$CSPM_URL/projects"': ({ output }) => expect(output).toContain('"name":"shop-prod"'),
  '/projects/shop-prod/inventory': ({ output }) => expect(output).toContain('"assetTypes":['),
  'SCAN=$(': ({ output }) => expect(output.trim()).toMatch(/^[0-9a-f-]{36}$/),
  '/events"': ({ output }) => {
    expect(output).toContain('event: done');
    expect(output).toContain('"status":"completed"');
  },
  '/findings?scan=$SCAN': ({ output }) => {
    expect(JSON.parse(output).items[0].severity).toMatch(/^(critical|high)$/);
  },
  'npx tsx': ({ output }) => {
    expect(output).toMatch(/^completed /);
    expect(output).toMatch(/^critical bucket-public /m);
  },
  '--project shop-prod --fail-on never': ({ output, messages }) => {
    expect(output).toMatch(/^CRITICAL {2}bucket-public/m);
    expect(messages).toContain('Scan completed');
  },
  '--only-new': ({ output, messages }) => {
    expect(output).not.toContain('CRITICAL');
    expect(messages).toContain('0 new');
  },
  '--output findings.csv': async () => {
    expect(await readFile(join(folder, 'findings.csv'), 'utf8')).toContain('bucket-public');
  },
  'scan --local samples/': ({ output, messages }) => {
    expect(output).toMatch(/^CRITICAL {2}bucket-public/m);
    expect(messages).toContain('shop-prod.ndjson');
    expect(messages).toContain('shop-prod.plan.json');
  },
  'npm run demo': ({ output }) => {
    const lines = output.trimEnd().split('\n');
    expect(output).toContain('Second scan, same inventory: 0 new');
    expect(output).toContain('Try next');
    expect(lines.length, output).toBeLessThanOrEqual(SCREEN.lines);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(SCREEN.columns);
  },
};

let database: TestDatabase;
let google: FakeGoogle;
/** A copy of the checkout by links, so that the steps write nothing into it. */
let folder: string;
let stateFile: string;
let environment: Record<string, string>;
let server: ChildProcess | null = null;
let banner = '';
/** The process of npm that runs it. */
let serverNpm = 0;

beforeAll(async () => {
  database = await emptyDatabase();
  google = await FakeGoogle.start();
  await google.serveFile(PARENT, join(ROOT, 'samples/shop-prod.ndjson'));
  google.inventory.grant(USER, PARENT, [...VIEWER, 'serviceusage.services.use']);
  const scratch = await mkdtemp(join(tmpdir(), 'cspm-readme-'));
  folder = join(scratch, 'checkout');
  stateFile = join(scratch, 'variables');
  const programs = join(scratch, 'bin');
  for (const made of [folder, programs]) await mkdir(made);
  for (const name of await readdir(ROOT)) {
    if (!name.startsWith('.')) await symlink(join(ROOT, name), join(folder, name));
  }
  await writeFile(stateFile, '');
  // `npm ci` would delete the installed packages that the links lead to. Everything else is the real npm.
  const npm = (await promisify(execFile)('sh', ['-c', 'command -v npm'])).stdout.trim();
  const shim = `#!/bin/sh\nif [ "$1" = ci ]; then exit 0; fi\necho $$ >'${scratch}/npm.pid'\nexec '${npm}' "$@"\n`;
  await writeFile(join(programs, 'npm'), shim, { mode: 0o755 });
  // Signing in needs a browser and an account. It leaves this file.
  const signedIn = join(scratch, '.config/gcloud/application_default_credentials.json');
  await writeFile(join(scratch, 'user.json'), JSON.stringify(google.identities.user(USER, null)));
  const gcloud = `#!/bin/sh\nmkdir -p "$(dirname '${signedIn}')"\nmv '${scratch}/user.json' '${signedIn}'\n`;
  await writeFile(join(programs, 'gcloud'), gcloud, { mode: 0o755 });
  environment = {
    ...google.environment,
    PATH: `${programs}:${process.env['PATH'] ?? ''}`,
    HOME: scratch,
    NODE_ENV: 'development',
    LOG_LEVEL: 'silent',
    PORT: '0',
    npm_config_update_notifier: 'false',
    ...onDatabase(database),
  };
});

afterAll(async () => {
  if (server?.pid !== undefined && server.exitCode === null) {
    const ended = once(server, 'close');
    process.kill(-server.pid, 'SIGKILL');
    await ended;
  }
  await google.close();
  await database.drop();
  await rm(join(folder, '..'), { recursive: true, force: true });
});

function blocksIn(markdown: string): Block[] {
  let end = 0;
  return [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map((match) => {
    const [whole, language = '', code = ''] = match;
    const introduction = markdown.slice(end, match.index);
    end = match.index + whole.length;
    const line = README.slice(0, README.indexOf(whole)).split('\n').length;
    const title = `README.md:${line}: ${code.split('\n')[0]}`;
    return { title, language, code, introduction };
  });
}

/** Replaces the address and the key in the README by those that the server printed. */
function asOfThisServer(code: string): string {
  const url = /Serving on (\S+)/.exec(banner)?.[1] ?? ADDRESS;
  const key = /API key +(\S+)/.exec(banner)?.[1] ?? KEY;
  return code.replaceAll(ADDRESS, url).replaceAll(KEY, key);
}

/** Runs a block in a shell that has the variables of the blocks before it. */
async function run(code: string): Promise<Done> {
  const script = `set -ae\n. '${stateFile}'\n${asOfThisServer(code)}\nexport -p > '${stateFile}'\n`;
  const shell = spawn('bash', ['-c', script], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = Promise.all([text(shell.stdout), text(shell.stderr)]);
  const [exitCode] = await once(shell, 'close');
  const [output, messages] = await written;
  return { code: exitCode, output, messages };
}

async function startServer(code: string): Promise<void> {
  const started = spawn('bash', ['-c', code], {
    cwd: folder,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  server = started;
  let errors = '';
  started.stdout.setEncoding('utf8').on('data', (piece: string) => {
    banner += piece;
  });
  started.stderr.setEncoding('utf8').on('data', (piece: string) => {
    errors += piece;
  });
  await until('the start of the server', async () => {
    if (started.exitCode !== null) throw new Error(`The server ended:\n${banner}${errors}`);
    return banner.includes('npm run cspm');
  });
  serverNpm = Number(await readFile(join(folder, '../npm.pid'), 'utf8'));
}

describe('README first steps, as printed', () => {
  const blocks = blocksIn(TESTED);

  it.each(blocks.map((block) => [block.title, block] as const))(
    'the first steps of the README work as printed: %s',
    async (_title, block) => {
      const { language, code, introduction } = block;
      if (code.includes('npm start')) return startServer(code);
      if (language === 'ts') {
        const [, name = ''] = /as `([\w-]+\.ts)`/.exec(introduction) ?? [];
        return writeFile(join(folder, name), code);
      }
      const done = await run(code);
      expect(done, `${done.output}\n${done.messages}`).toMatchObject({ code: 0 });
      if (code.startsWith('export ')) return;
      const checks = Object.entries(PRINTED).filter(([part]) => code.includes(part));
      expect(checks).toHaveLength(1);
      for (const [, check] of checks) await check(done);
    },
  );

  it('the commands that the server suggests at its first start work', async () => {
    const suggested = [...banner.matchAll(/^ {2}((?:export|npm) .*)$/gm)].map(([, line]) => line);
    expect(suggested).toHaveLength(3);
    const { code, output } = await run(`${suggested.join('\n')} --fail-on never`);
    expect(code).toBe(0);
    expect(output).toMatch(/^CRITICAL {2}bucket-public/m);
  });
});

describe('npm start, as printed in the README', () => {
  it('npm passes a SIGTERM on to the server, so that nothing is left running', async () => {
    if (server === null) throw new Error('The first steps did not start a server.');
    const ended = once(server, 'close');
    process.kill(serverNpm, 'SIGTERM');
    // Every process that has the output of the server must end before.
    await ended;
  });
});

describe('commands whose output a file or another program gets', () => {
  it.each([
    'npm run --silent cspm -- scan --local samples/shop-prod.ndjson --format json --fail-on never',
    'TENANT=$(npm run --silent admin -- tenant create Shop); npm run --silent admin -- audit export $TENANT | head -1',
  ])('the documented form of npm run writes only results to standard output: %s', async (code) => {
    const { output, messages } = await run(code);
    expect(() => JSON.parse(output), `${output.slice(0, 200)}\n${messages}`).not.toThrow();
  });

  it('the documentation shows npm run with --silent where standard output is redirected', async () => {
    const pages = (await readdir(join(ROOT, 'docs'))).filter((name) => name.endsWith('.md'));
    const files = ['README.md', 'cli/README.md', ...pages.map((name) => `docs/${name}`)];
    const lines = files.flatMap((name) => readFileSync(join(ROOT, name), 'utf8').split('\n'));
    const commands = lines.filter((line) => /npm run (cspm|admin) --/.test(line));
    expect(commands.length).toBeGreaterThan(20);
    const isRedirected = /--[^|]* > |^[^|]*npm run [^|]*\| |--format (?!.*--output)|stands for/;
    expect(commands.filter((line) => isRedirected.test(line))).toEqual([]);
  });
});

describe('the README', () => {
  it('the README has no shell or TypeScript block outside the tested first steps', () => {
    const shell = ({ language }: Block) => /^(sh|bash|shell|console|ts|js)$/.test(language);
    expect(blocksIn(README).filter(shell)).toHaveLength(blocksIn(TESTED).length);
  });

  it('the README links only to files that exist', () => {
    const links = [...README.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path]) => path ?? '');
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});
