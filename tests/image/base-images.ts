import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  cacheFolder,
  NODE_VERSIONS,
  nodeFolder,
  npmPackage,
} from '../../tools/node-versions/node-versions.ts';
import { UnsuitableMachineError } from './checks.ts';
import { command } from './commands.ts';

/** Documentation and translations, which the images of Docker Hub leave out as well. */
const LEFT_OUT = ['doc', 'man', 'info', 'locale'];
const NPM_VERSION = '11.19.1';

/** A root file system of Debian's packages. */
interface Root {
  readonly suite: string;
  readonly packages: readonly string[];
}

const NODE_ROOT: Root = { suite: 'bookworm', packages: [] };
/** Stand in for the images of Postgres 17, Redis 8 and nginx in compose.yaml. */
const SERVICES_ROOT: Root = {
  suite: 'trixie',
  packages: ['postgresql-17', 'redis-server', 'nginx'],
};

/** The archive of a root file system with everything that the services of compose.yaml run. */
export function servicesArchive(): Promise<string> {
  return archiveOf(SERVICES_ROOT);
}

/** Makes an archive that the cache does not have yet; takes one to four minutes. */
async function archiveOf(root: Root): Promise<string> {
  const archive = join(cacheFolder(), `${root.suite}-${digestOf(root)}.tar`);
  if (existsSync(archive)) return archive;
  await mkdir(cacheFolder(), { recursive: true });
  const aside = await mkdtemp(join(cacheFolder(), 'root-'));
  const file = join(aside, 'root.tar');
  try {
    await command('mmdebstrap', [
      ...['--variant=minbase', '--quiet', '--mode=root'],
      ...(root.packages.length > 0 ? [`--include=${root.packages.join(',')}`] : []),
      '--aptopt=Apt::Install-Recommends "false"',
      ...LEFT_OUT.map((what) => `--dpkgopt=path-exclude=/usr/share/${what}/*`),
      root.suite,
      file,
    ]).catch((error: unknown) => {
      throw new UnsuitableMachineError(`no root file system of Debian can be made: ${error}`);
    });
    await rename(file, archive);
    return archive;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/**
 * A folder to build a stand-in for the image `node:<major>-bookworm-slim` from: Debian's minimal system, Node and npm.
 * @returns the folder and a digest of its content; the caller removes the folder.
 */
export async function nodeBase(major: string): Promise<{ digest: string; context: Context }> {
  const version = NODE_VERSIONS[major];
  if (version === undefined)
    throw new Error(`The Dockerfile starts FROM an unknown Node ${major}.`);
  const digest = digestOf({ root: NODE_ROOT, version, NPM_VERSION, RECIPE });
  return { digest, context: () => contextOf(version) };
}

/** Makes the folder. */
export type Context = () => Promise<string>;

async function contextOf(version: string): Promise<string> {
  const [archive, node, npm] = await Promise.all([
    archiveOf(NODE_ROOT),
    nodeFolder(version),
    npmPackage('npm', NPM_VERSION),
  ]);
  const folder = await mkdtemp(join(cacheFolder(), 'context-'));
  await cp(archive, join(folder, 'root.tar'));
  await cp(join(node, 'node'), join(folder, 'node'));
  await cp(npm, join(folder, 'npm'), { recursive: true });
  await writeFile(join(folder, 'Dockerfile'), RECIPE);
  return folder;
}

/** The user, the programs and the paths of the official image. */
const RECIPE = `FROM scratch
ADD root.tar /
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN groupadd --gid 1000 node \\
 && useradd --uid 1000 --gid node --shell /bin/bash --create-home node \\
 && ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \\
 && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
CMD ["node"]
`;

function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([value, LEFT_OUT]))
    .digest('hex')
    .slice(0, 12);
}
