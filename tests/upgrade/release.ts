import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Environment } from '../kit/fleet.ts';

const run = promisify(execFile);
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUILD =
  "import { buildServer } from './scripts/build.mjs'; await buildServer(process.argv[1]);";

/** A runnable server with its migrations. */
export interface Release {
  readonly name: string;
  readonly main: string;
  /**
   * Runs `npm run admin -- …` of that release in a separate process.
   * @throws {Error} with its output when it fails.
   */
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

const PAGES = ['server/modules/meta/page.css', 'server/modules/meta/page.js'];

/** Files that a server reads at run time, two folders above its bundle. */
const FILES = ['prisma/migrations', 'openapi.json', 'samples', ...PAGES, 'package.json'];

/** Bundles the server of this tree as if it were in `root`, a folder below the tree. */
export async function today(root: string): Promise<Release> {
  const bundle = join(root, 'dist/server');
  await build(ROOT, bundle);
  for (const file of FILES) await cp(join(ROOT, file), join(root, file), { recursive: true });
  return releaseIn('today’s', bundle);
}

/** The same server with later migrations in addition to today's, by name, as if it were in `root`. */
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

/** Links packages to this tree's, except our own workspaces, which must be those of the worktree. */
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
