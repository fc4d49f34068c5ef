/**
 * Packs the SDK as for publishing and checks the tarball as its users see it: its contents, its compatibility with npm,
 * bundlers and TypeScript (publint, Are the types wrong?), and the content and cost of its types.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData, type Package } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import ts from 'typescript';
import { SUBPATHS } from '../tools/generate/sdk-package.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const ENTRIES = ['index', ...SUBPATHS];
const FILES = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  ...ENTRIES.flatMap((name) =>
    ['cjs', 'cjs.map', 'd.cts', 'd.ts', 'js', 'js.map'].map((end) => `dist/${name}.${end}`),
  ),
  'package.json',
];

/** Members of package.json that make npm install other packages. Optional peers are only compared with. */
const DEPENDENCIES = /^(?!peerDependencies).*ependenc/;

/** The type-checking budget for the ten calls that the consumers make. */
const MAX_INSTANTIATIONS = 5000;

const tarball = await pack();
const shipped = createPackageFromTarballData(tarball);
const complaints = [
  ...aboutContents(shipped),
  ...(await aboutManifest(tarball)),
  ...(await aboutResolution(shipped)),
  ...(await aboutDocs(read(shipped, 'dist/index.d.ts'))),
  ...aboutCost(),
];
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exitCode = 1;

async function pack(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'cspm-sdk-package-'));
  try {
    const args = ['pack', '--workspace', '@cspm/sdk', '--pack-destination', folder];
    await promisify(execFile)('npm', args, { cwd: root });
    const [file = ''] = await readdir(folder);
    return new Uint8Array(await readFile(join(folder, file)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function read(shipped: Package, path: string): string {
  return shipped.readFile(`/node_modules/@cspm/sdk/${path}`);
}

function aboutContents(shipped: Package): string[] {
  const paths = shipped.listFiles().map((path) => path.replace('/node_modules/@cspm/sdk/', ''));
  const manifest: object = JSON.parse(read(shipped, 'package.json'));
  return [
    ...FILES.filter((path) => !paths.includes(path)).map((path) => `${path} is not shipped.`),
    ...paths
      .filter((path) => !FILES.includes(path))
      .map((path) => `${path} should not be shipped.`),
    ...Object.keys(manifest)
      .filter((member) => DEPENDENCIES.test(member))
      .map((member) => `package.json has ${member}: the SDK installs nothing else.`),
    ...requiredPeers(manifest).map((name) => `package.json requires ${name}: peers are optional.`),
    ...['dist/index.d.ts', 'dist/index.d.cts', 'dist/session.d.ts', 'dist/session.d.cts']
      .filter((path) => /^(import|export .* from) |import\(|\/\/\/ </m.test(read(shipped, path)))
      .map((path) => `${path} takes types from elsewhere.`),
    // Flattening renames one of two types with the same name and no longer exports it.
    ...[...new Set(read(shipped, 'dist/index.d.ts').match(/\b\w+\$\d+\b/g))].map(
      (name) => `The types have two of one name, one of which is now ${name}.`,
    ),
  ];
}

function requiredPeers(manifest: {
  readonly peerDependencies?: object;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}): string[] {
  const { peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  return Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
}

async function aboutManifest(tarball: Uint8Array): Promise<string[]> {
  const { messages, pkg } = await publint({
    pack: { tarball: tarball.slice().buffer },
    strict: true,
  });
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`);
}

async function aboutResolution(shipped: Package): Promise<string[]> {
  const analysis = await checkPackage(shipped);
  if (!analysis.types) return ['attw: there are no types.'];
  return analysis.problems.map((problem) => `attw: ${JSON.stringify(problem)}`);
}

/** The doc comments that an editor shows must survive the flattening. */
async function aboutDocs(types: string): Promise<string[]> {
  const known = new Set(docComments(types));
  const files = ['sdk/src/client.gen.ts', 'sdk/src/models.gen.ts'];
  const sources = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
  return docComments(sources.join('\n'))
    .filter((doc) => !known.has(doc))
    .map((doc) => `The types lack: ${doc}`);
}

function docComments(source: string): string[] {
  return [...source.matchAll(/\/\*\*(.*?)\*\//gs)].map(([, text = '']) =>
    text.replace(/\s+(\* ?)?/g, ' ').trim(),
  );
}

function aboutCost(): string[] {
  const program = ts.createProgram([join(root, 'sdk/consumers/typescript/ten-calls.ts')], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    types: [],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    paths: { '@cspm/sdk': [join(root, 'sdk/dist/index.d.ts')] },
  });
  const errors = ts.getPreEmitDiagnostics(program);
  const count = program.getInstantiationCount();
  console.log(`ten calls: ${count} of at most ${MAX_INSTANTIATIONS} type instantiations`);
  return [
    ...errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    ...(count > MAX_INSTANTIATIONS ? ['The types cost too much.'] : []),
  ];
}
