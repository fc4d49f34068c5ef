import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Command, run } from './run.ts';
import { installedVenv } from './venv.ts';

/** A program in another language, with a generated client. */
export interface Language {
  readonly name: string;
  /** Prints the version of a tool, and the lowest that will do. */
  readonly needs: readonly {
    readonly tool: string;
    readonly args: readonly string[];
    readonly version: readonly [number, number];
  }[];
  /** Whether Debian 12 has these tools in such versions. */
  readonly inDebian: boolean;
  generate(): Promise<void>;
  compile(): Promise<void>;
  readonly program: Command;
}

const ROOM = fileURLToPath(new URL('.', import.meta.url));
const DOCUMENT = join(ROOM, '../../openapi.json');
/** The same document in OpenAPI 3.0, which the script writes. */
export const DOCUMENT_30 = join(ROOM, 'dist/openapi-3.0.json');

const PYTHON = join(ROOM, 'python');
const GO = join(ROOM, 'go');
const JAVA = join(ROOM, 'java');
const RUST = join(ROOM, 'rust');
/** The checkout may be without git. */
const GO_ENVIRONMENT = { GOFLAGS: '-mod=readonly -buildvcs=false' };
const RUST_ENVIRONMENT = { CARGO_TARGET_DIR: join(RUST, 'dist/target') };
const MAVEN = ['--batch-mode', '--quiet'];

const go = (...args: string[]) =>
  run({ command: 'go', args, cwd: GO, environment: GO_ENVIRONMENT });

export const LANGUAGES: readonly Language[] = [
  {
    name: 'rust (progenitor)',
    needs: [{ tool: 'cargo', args: ['--version'], version: [1, 88] }],
    inDebian: false,
    // build.rs generates the client.
    generate: async () => {
      const document = await readFile(DOCUMENT_30, 'utf8');
      const own = join(RUST, 'dist/openapi-3.0.json');
      // Cargo builds again when the file is newer.
      if ((await readFile(own, 'utf8').catch(() => '')) === document) return;
      await mkdir(join(RUST, 'dist'), { recursive: true });
      await writeFile(own, document);
    },
    compile: async () => {
      const args = ['build', '--locked', '--quiet'];
      await run({ command: 'cargo', args, cwd: RUST, environment: RUST_ENVIRONMENT });
    },
    program: { command: join(RUST, 'dist/target/debug/cspm-example'), args: [], cwd: RUST },
  },
  {
    name: 'python (openapi-python-client)',
    needs: [{ tool: 'python3', args: ['--version'], version: [3, 11] }],
    inDebian: true,
    generate: async () => {
      const bin = await installedVenv(PYTHON);
      const output = ['--output-path', 'dist/cspm_api', '--meta', 'none', '--overwrite'];
      const args = ['generate', '--path', DOCUMENT, '--config', 'generator.yaml', ...output];
      await run({ command: join(bin, 'openapi-python-client'), args, cwd: PYTHON });
    },
    compile: async () => {
      const args = ['-m', 'compileall', '-q', 'dist/cspm_api'];
      await run({ command: join(PYTHON, 'dist/venv/bin/python'), args, cwd: PYTHON });
    },
    program: {
      command: join(PYTHON, 'dist/venv/bin/python'),
      args: ['main.py'],
      cwd: PYTHON,
      environment: { PYTHONPATH: join(PYTHON, 'dist') },
    },
  },
  goLanguage('go (oapi-codegen)', 'oapi', async () => {
    await mkdir(join(GO, 'dist/oapiclient'), { recursive: true });
    await go('tool', 'oapi-codegen', '-config', 'oapi-codegen.yaml', DOCUMENT);
  }),
  goLanguage('go (ogen)', 'ogen', async () => {
    const target = ['--target', 'dist/ogenclient', '--package', 'ogenclient', '--clean'];
    await mkdir(join(GO, 'dist/ogenclient'), { recursive: true });
    await go('tool', 'ogen', '--config', 'ogen.yml', ...target, DOCUMENT_30);
  }),
  {
    name: 'java and sources of kotlin (openapi-generator)',
    needs: [
      { tool: 'javac', args: ['-version'], version: [17, 0] },
      { tool: 'mvn', args: ['--version'], version: [3, 8] },
    ],
    inDebian: true,
    // Maven generates what it compiles.
    generate: () => rm(join(JAVA, 'dist'), { recursive: true, force: true }),
    compile: async () => {
      await run({ command: 'mvn', args: [...MAVEN, 'compile'], cwd: JAVA });
      await expectKotlin();
    },
    program: {
      command: 'java',
      args: ['-cp', 'dist/classes:dist/libraries/*', 'example.Main'],
      cwd: JAVA,
    },
  },
];

/** @throws {Error} that names the operations without a function in the sources of Kotlin, which nothing compiles */
async function expectKotlin(): Promise<void> {
  const folder = join(JAVA, 'dist/kotlin/src/main/kotlin');
  const files = (await readdir(folder, { recursive: true })).filter((name) =>
    /Api\.kt$/.test(name),
  );
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  const functions = new Set([...texts.join('').matchAll(/\bfun (\w+)\(/g)].map(([, name]) => name));
  const { paths } = JSON.parse(await readFile(DOCUMENT, 'utf8'));
  const missing = Object.values<Record<string, { operationId: string }>>(paths)
    .flatMap((item) => Object.values(item).map(({ operationId }) => operationId))
    .filter((id) => !functions.has(id));
  if (missing.length > 0) throw new Error(`Kotlin has no function ${missing.join(', ')}`);
}

function goLanguage(name: string, program: string, generate: () => Promise<void>): Language {
  return {
    name,
    needs: [{ tool: 'go', args: ['version'], version: [1, 21] }],
    inDebian: false,
    generate,
    compile: async () => {
      await go('build', '-o', `dist/${program}`, `./${program}`);
    },
    program: { command: join(GO, 'dist', program), args: [], cwd: GO },
  };
}

/** Why the language cannot be tested on this machine; null: it can. */
export async function whyNot({ needs }: Language): Promise<string | null> {
  for (const { tool, args, version } of needs) {
    const found = await versionOf(tool, args);
    if (found === null) return `${tool} is not installed`;
    const [major, minor] = version;
    if (found[0] < major || (found[0] === major && found[1] < minor)) {
      return `${tool} ${found.join('.')} is older than ${version.join('.')}`;
    }
  }
  return null;
}

async function versionOf(tool: string, args: readonly string[]): Promise<[number, number] | null> {
  try {
    const { stdout, stderr } = await promisify(execFile)(tool, args);
    const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout + stderr) ?? [];
    return major === undefined ? null : [Number(major), Number(minor)];
  } catch {
    return null;
  }
}
