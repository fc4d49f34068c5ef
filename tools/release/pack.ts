import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildCommandLine } from '../../scripts/build.mjs';

const run = promisify(execFile);

/** Where tarballs are written; git ignores it. */
const TARBALLS = 'dist/release';
/** The names of our workspaces; their folders are named like them. */
const SCOPE = '@cspm/';

/**
 * Packs the SDK and the command line for npm.
 * @returns the paths of the tarballs.
 */
export async function packTarballs(root: string, out = join(root, TARBALLS)): Promise<string[]> {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const staged = join(out, 'staged');
  await buildCommandLine();
  const tarballs = [
    await npmPack(await stage(join(root, 'sdk'), join(staged, 'sdk')), out),
    await npmPack(await stage(join(root, 'cli'), join(staged, 'cli')), out),
  ];
  await rm(staged, { recursive: true });
  return tarballs.map((name) => join(out, name));
}

/**
 * Copies what a package publishes. Bundles contain our workspaces, so the published package depends on the dependencies of
 * these workspaces instead of on them. In a workflow of GitHub it names the repository, which npm demands for provenance.
 */
async function stage(from: string, to: string): Promise<string> {
  const { private: _, ...described } = await packageIn(from);
  await mkdir(to, { recursive: true });
  await cp(join(from, 'dist'), join(to, 'dist'), { recursive: true });
  await cp(join(from, '../LICENSE'), join(to, 'LICENSE'));
  await cp(join(from, 'README.md'), join(to, 'README.md')).catch(() => undefined);
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
  const packageJson = {
    ...described,
    ...(described.dependencies === undefined
      ? {}
      : { dependencies: await bundled(from, described) }),
    ...(repository ? { repository: { type: 'git', url: `git+${server}/${repository}.git` } } : {}),
  };
  await writeFile(join(to, 'package.json'), `${JSON.stringify(packageJson, null, 2)}\n`);
  return to;
}

interface Described {
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

async function packageIn(folder: string): Promise<Described> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
}

/** The dependencies of a package and of the workspaces that its bundle contains, by name. */
async function bundled(folder: string, { dependencies = {} }: Described) {
  const all: Record<string, string> = {};
  for (const [name, version] of Object.entries(dependencies)) {
    if (name.startsWith(SCOPE)) {
      const workspace = join(folder, '..', name.slice(SCOPE.length));
      Object.assign(all, await bundled(workspace, await packageIn(workspace)));
    } else {
      all[name] = version;
    }
  }
  return Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** @returns the name of the tarball. */
async function npmPack(folder: string, out: string): Promise<string> {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['pack', '--json', '--pack-destination', out];
  const { stdout } = await run(npm, args, { cwd: folder });
  return JSON.parse(stdout)[0].filename;
}
