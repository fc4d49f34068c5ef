import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Environment } from '../../server/testing/fleet.ts';

const run = promisify(execFile);
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUILD =
  "import { buildServer } from './scripts/build.mjs'; await buildServer(process.argv[1]);";

/** A server that can be run, with the migrations that it brings along. */
export interface Release {
  readonly name: string;
  readonly main: string;
  /** `npm run admin -- …` of that release, in a process of its own. @throws {Error} with what it said when it fails. */
  admin(environment: Environment, ...words: string[]): Promise<string>;
}

function releaseIn(name: string, folder: string): Release {
  return {
    name,
    main: join(folder, 'main.mjs'),
    admin: async (environment, ...words) => {
      const env = { PATH: process.env['PATH'] ?? '', ...environment };
      return (await run(process.execPath, [join(folder, 'admin.mjs'), ...words], { env })).stdout;
    },
  };
}

/** What a server reads at run time, two folders above its bundle. */
const FILES = ['prisma/migrations', 'openapi.json', 'samples', 'server/pages', 'package.json'];

/** Bundles the server of this tree as if it lay in `root`, a folder somewhere below the tree. */
export async function today(root: string): Promise<Release> {
  const bundle = join(root, 'dist/server');
  await build(ROOT, bundle);
  for (const file of FILES) await cp(join(ROOT, file), join(root, file), { recursive: true });
  return releaseIn('today’s', bundle);
}

/** The same server with later migrations beside those of today, by name, as if it lay in `root`. */
export async function later(
  { main }: Release,
  root: string,
  migrations: Readonly<Record<string, string>>,
): Promise<Release> {
  const bundle = dirname(main);
  await cp(join(bundle, '../..'), root, { recursive: true });
  for (const [name, sql] of Object.entries(migrations)) {
    const place = join(root, 'prisma/migrations', name);
    await mkdir(place);
    await writeFile(join(place, 'migration.sql'), sql);
  }
  return releaseIn('a later', join(root, 'dist/server'));
}

/** Builds the server of a tag, a branch or a commit in a worktree, which the caller removes with `removeWorktree`. */
export async function releaseAt(ref: string, worktree: string): Promise<Release> {
  await run('git', ['worktree', 'add', '--detach', worktree, ref], { cwd: ROOT });
  const lock = (root: string) => readFile(join(root, 'package-lock.json'), 'utf8');
  if ((await lock(ROOT)) === (await lock(worktree))) await linkPackages(worktree);
  else await run('npm', ['ci', '--prefer-offline', '--loglevel=error'], { cwd: worktree });
  const folder = join(worktree, 'dist/server');
  await build(worktree, folder);
  return releaseIn(`that of ${ref}`, folder);
}

export async function removeWorktree(worktree: string): Promise<void> {
  await run('git', ['worktree', 'remove', '--force', worktree], { cwd: ROOT }).catch(
    () => undefined,
  );
}

async function build(root: string, folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const node = ['--input-type=module', '--eval', BUILD, folder];
  await run(process.execPath, node, { cwd: root });
}

/** Packages are this tree's, each by a link; but for our own workspaces, which have to be those of the worktree. */
async function linkPackages(worktree: string): Promise<void> {
  const [from, to] = [join(ROOT, 'node_modules'), join(worktree, 'node_modules')];
  await mkdir(join(to, '@cspm'), { recursive: true });
  for (const name of await readdir(from)) {
    if (name !== '@cspm') await symlink(join(from, name), join(to, name));
  }
  for (const name of await readdir(join(from, '@cspm'))) {
    await symlink(join(worktree, name), join(to, '@cspm', name));
  }
}
