import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { bundleCommandLine } from '../../scripts/build.mjs';

const run = promisify(execFile);

/** Where tarballs are written; git ignores it. */
const TARBALLS = 'dist/release';

/**
 * Packs the SDK and the command line for npm.
 * @returns the paths of the tarballs.
 */
export async function packTarballs(root: string, out = join(root, TARBALLS)): Promise<string[]> {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const sdk = await stage(join(root, 'sdk'), join(out, 'staged/sdk'));
  await cp(join(root, 'sdk/dist'), join(sdk, 'dist'), { recursive: true });
  const tarballs = [await npmPack(sdk, out), await packCommandLine(root, out)];
  await rm(join(out, 'staged'), { recursive: true });
  return tarballs;
}

/**
 * Packs the command line with everything that it depends on, so that its tarball can be installed alone.
 * @returns the path of the tarball.
 */
export async function packCommandLine(root: string, out: string): Promise<string> {
  const staged = await mkdtemp(join(tmpdir(), 'cspm-pack-'));
  try {
    await stage(join(root, 'cli'), staged);
    const packages = await bundleCommandLine(join(staged, 'dist'));
    await writeFile(join(staged, 'dist/THIRD_PARTY_LICENSES'), await licensesOf(root, packages));
    return await npmPack(staged, out);
  } finally {
    await rm(staged, { recursive: true });
  }
}

/**
 * Writes what a package publishes besides its build. The command line contains everything that it depends on, so the
 * published package has no dependencies. In a workflow of GitHub it names the repository, which npm demands for
 * provenance.
 */
async function stage(from: string, to: string): Promise<string> {
  const { private: _, dependencies: _bundled, ...described } = await packageIn(from);
  await mkdir(to, { recursive: true });
  await cp(join(from, '../LICENSE'), join(to, 'LICENSE'));
  for (const name of ['README.md', 'CHANGELOG.md']) await cp(join(from, name), join(to, name));
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
  const packageJson = {
    ...described,
    ...(repository ? { repository: repositoryOf(`${server}/${repository}`, from) } : {}),
  };
  await writeFile(join(to, 'package.json'), `${JSON.stringify(packageJson, null, 2)}\n`);
  return to;
}

/** With the folder of the package, from which npm's site follows the links of the README. */
function repositoryOf(url: string, folder: string): object {
  return { type: 'git', url: `git+${url}.git`, directory: basename(folder) };
}

interface Described {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

async function packageIn(folder: string): Promise<Described> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
}

/** The licenses of bundled packages, which require that copies contain them. */
async function licensesOf(root: string, folders: readonly string[]): Promise<string> {
  const texts = folders.map(async (folder) => {
    const { name, version, license } = await packageIn(join(root, folder));
    const files = await readdir(join(root, folder));
    const file = files.find((one) => /^(licen[cs]e|copying)/i.test(one));
    // Some packages have their license at the end of the README.
    const readme = files.find((one) => /^readme/i.test(one));
    const found = file ?? readme;
    const whole = found === undefined ? '' : await readFile(join(root, folder, found), 'utf8');
    const text = file === undefined ? whole.slice(whole.search(/^#*\s*licen[cs]e/im)) : whole;
    return `${name} ${version}, ${license}\n\n${text.trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`);
}

/** @returns the path of the tarball. */
async function npmPack(folder: string, out: string): Promise<string> {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['pack', '--json', '--pack-destination', out];
  const { stdout } = await run(npm, args, { cwd: folder });
  return join(out, JSON.parse(stdout)[0].filename);
}
