import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@cspm/sdk';
import { build } from 'esbuild';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enrol } from '../tests/kit/authenticator.ts';
import { SHARED_CREDENTIALS, TEST_MASTER_KEY } from '../tests/kit/shared-credentials.ts';
import { startTestServer, TEST_APP_SECRET, type TestServer } from '../tests/kit/test-server.ts';

/**
 * Every TypeScript block in the SDK's README and in the project's README is a complete program: it is compiled strictly
 * and run by Node against the real server, in a folder with an inventory export. Code that a reader need not see is in
 * comments around the block: `<!-- given … -->` is put before it, `<!-- then … -->` after it, with `assert` available.
 * A block that does not import `createClient` starts like the first one, with a client named `cspm`.
 *
 * Blocks of TSX are files of an application that `npm run test:consumers` builds and runs.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const READMES = ['sdk/README.md', 'README.md'];
const SAMPLE = join(ROOT, 'samples/shop-prod.ndjson');
const ADDRESS = 'http://127.0.0.1:3000';
const BLOCK =
  /(?:<!-- given\n(?<given>.*?)-->\s*)?```(?:ts|typescript|js|javascript)\n(?<code>.*?)```(?:\s*<!-- then\n(?<then>.*?)-->)?/gs;
const FILE = /<!-- file (?<file>\S+) -->\s*```tsx\n(?<code>.*?)```/gs;
const PROLOGUE = `import { createClient } from '@cspm/sdk';
const cspm = createClient({ baseUrl: '${ADDRESS}', apiKey: process.env.CSPM_API_KEY });
`;

/** A completed block. `path` says where it is in the README; the file does not exist. */
interface Program {
  readonly path: string;
  readonly text: string;
}

const programs = READMES.flatMap(programsOf);
const files = READMES.flatMap((readme) =>
  [...read(readme).matchAll(FILE)].map(({ groups = {} }) => ({
    file: join(dirname(readme), groups['file'] ?? ''),
    code: groups['code'],
  })),
);
const execute = promisify(execFile);
let server: TestServer;
let folder: string;
let environment: Record<string, string>;

beforeAll(async () => {
  server = await startTestServer({
    worker: true,
    config: { breakGlass: SHARED_CREDENTIALS.breakGlass },
  });
  const user = await server.people.user();
  const { tenant } = user;
  const admin = await server.people.user({ tenant });
  const at = server.clock.now();
  const { secret } = await enrol(server.database, TEST_APP_SECRET, admin, { at });
  environment = {
    PATH: process.env['PATH'] ?? '',
    CSPM_API_KEY: user.key['x-api-key'],
    CSPM_NEW_API_KEY: (await server.people.user()).key['x-api-key'],
    CSPM_EMAIL: user.email,
    CSPM_PASSWORD: user.password,
    CSPM_MASTER_KEY: TEST_MASTER_KEY,
    CSPM_TENANT: tenant.id,
    CSPM_MEMBER: (await server.people.user({ tenant, role: 'analyst' })).id,
    CSPM_ACCESS_TOKEN: admin.session.authorization.replace('Bearer ', ''),
    CSPM_REFRESH_TOKEN: admin.refreshToken,
    CSPM_TOTP_SECRET: secret,
  };
  folder = await mkdtemp(join(tmpdir(), 'cspm-readme-'));
  await copyFile(SAMPLE, join(folder, 'export.ndjson'));
  const cspm = createClient({ baseUrl: server.url, apiKey: user.key['x-api-key'] });
  await cspm.projects.create({ name: 'shop-prod' });
  await cspm.projects.uploadInventory({ name: 'shop-prod', inventory: readFileSync(SAMPLE) });
  await cspm.scans.wait((await cspm.scans.launch({ projects: ['shop-prod'], profile: 'full' })).id);
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

test('every TypeScript and JavaScript block of the READMEs is tested', () => {
  expect(programs.length).toBeGreaterThan(15);
  const fences =
    READMES.map(read)
      .join('\n')
      .match(/^ *(```|~~~)\w*/gm) ?? [];
  const languages = fences.map((fence) => fence.trim().slice(3));
  expect(languages.filter((name) => /^[cm]?[jt]sx?$|script$/.test(name))).toHaveLength(
    programs.length + files.length,
  );
});

test.each(files)('the README shows $file as it is', ({ file, code }) => {
  expect(code).toBe(read(file));
});

test('every block of the READMEs compiles', () => {
  expect(complaintsAbout(programs)).toEqual([]);
});

test.each(programs)('$path runs as documented', async ({ path, text }) => {
  const file = join(folder, path.replace(/\W+/g, '-').concat('.mjs'));
  const { outputFiles } = await build({
    stdin: { contents: text.replaceAll(ADDRESS, server.url), loader: 'ts', resolveDir: ROOT },
    bundle: true,
    format: 'esm',
    platform: 'node',
    sourcemap: 'inline',
    write: false,
  });
  await writeFile(file, outputFiles[0]?.contents ?? '');
  const options = { cwd: folder, env: environment, timeout: 150_000 };
  const { stderr } = await execute(process.execPath, ['--enable-source-maps', file], options);
  expect(stderr).toBe('');
});

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function programsOf(file: string): Program[] {
  const readme = read(file);
  return [...readme.matchAll(BLOCK)].map(({ index, 0: whole, groups = {} }) => {
    const { given = '', code = '', then = '' } = groups;
    const line = readme.slice(0, index + whole.indexOf('```')).split('\n').length;
    const begins = /\bcreateClient\b.*from '@cspm\/sdk(\/schemas)?'/.test(given + code)
      ? ''
      : PROLOGUE;
    const assert = then === '' ? '' : "import assert from 'node:assert/strict';\n";
    // Make it a module, so that it may use top-level await.
    const text = [assert, begins, given, code, then, 'export {};\n'].join('');
    return { path: `${file}:${line}`, text };
  });
}

/** Compiler errors of the programs, as if they were beside the README. */
function complaintsAbout(programs: readonly Program[]): string[] {
  const files = new Map(programs.map(({ path, text }) => [join(ROOT, `${path}.ts`), text]));
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.getSourceFile = (file, version, ...how) => {
    const text = files.get(file);
    return text === undefined
      ? getSourceFile(file, version, ...how)
      : // The version includes that the file is an ES module.
        ts.createSourceFile(file, text, version);
  };
  const program = ts.createProgram(
    [...files.keys()],
    { ...options, noUnusedLocals: false, noUnusedParameters: false },
    host,
  );
  const diagnostics = [...files.keys()].flatMap((file) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  });
  return diagnostics.map(({ file, start = 0, messageText }) => {
    const line = file?.text.slice(0, start).split('\n').at(-1);
    return `${file?.fileName} at «${line}»: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}
