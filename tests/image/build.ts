import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '../../tools/node-versions/node-versions.ts';
import { nodeBase } from './base-images.ts';
import { command, succeeds } from './commands.ts';

export const IMAGE = 'cspm:local';

/** `chroot` needs neither cgroups nor a network of its own; the format keeps the health check. */
const BUILD = ['--isolation', 'chroot', '--format', 'docker', '--layers=false', '--pull-never'];
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Builds the repository's Dockerfile and writes the image to an archive that `docker load` reads. */
export async function buildImage(root: string, scratch: string): Promise<string> {
  const env = { STORAGE_DRIVER: await storageDriver() };
  const storage = ['--root', join(cacheFolder(), 'images'), '--runroot', join(scratch, 'run')];
  const buildah = (verb: string, ...args: string[]) =>
    command('buildah', [...storage, verb, ...args], { cwd: root, env });

  const name = await baseName(root);
  const { digest, context } = await nodeBase(/^node:(\d+)/.exec(name)?.[1] ?? '');
  const tag = `localhost/cspm-base:${digest}`;
  const present = await buildah('images', '--format', '{{.Name}}:{{.Tag}}');
  if (!present.split('\n').includes(tag)) {
    const folder = await context();
    await buildah('bud', ...BUILD, '--tag', tag, folder);
    await rm(folder, { recursive: true, force: true });
  }
  await buildah('tag', tag, `docker.io/library/${name}`);

  const archive = join(scratch, 'image.tar');
  try {
    await buildah('bud', ...BUILD, ...(await hostFiles(scratch)), '--tag', IMAGE, root);
    await buildah('push', IMAGE, `docker-archive:${archive}:${IMAGE}`);
  } finally {
    // The cache keeps the base only. Another run builds the image again.
    await buildah('rmi', '--force', IMAGE).catch(() => undefined);
  }
  return archive;
}

/** The image that both stages of the Dockerfile start from. */
async function baseName(root: string): Promise<string> {
  const text = await readFile(join(root, 'Dockerfile'), 'utf8');
  const names = new Set([...text.matchAll(/^FROM (\S+)/gm)].map(([, name = '']) => name));
  const [name = '', ...more] = names;
  if (more.length > 0) throw new Error(`The Dockerfile starts from several images: ${[...names]}`);
  return name;
}

/** Copying whole layers works on every file system; overlays are faster where they can be mounted. */
async function storageDriver(): Promise<string> {
  const probe = ['--mount', 'sh', '-c', OVERLAY_PROBE];
  return (await succeeds('unshare', probe)) ? 'overlay' : 'vfs';
}

const OVERLAY_PROBE = `mount -t tmpfs none /mnt && mkdir /mnt/l /mnt/u /mnt/w /mnt/m &&
  mount -t overlay overlay -o lowerdir=/mnt/l,upperdir=/mnt/u,workdir=/mnt/w /mnt/m`;

/**
 * What `npm ci` needs of this machine: its registry, its certificates and its cache. Mounted while the first stage is
 * built, so none of it is part of the image.
 */
async function hostFiles(scratch: string): Promise<string[]> {
  const npm = async (name: string) => (await command('npm', ['config', 'get', name])).trim();
  const lines = [
    `registry=${await npm('registry')}`,
    `cafile=${CERTIFICATES}`,
    'cache=/var/cache/npm',
    'prefer-offline=true',
  ];
  // Credentials of a private registry are there. The lines above come last, so they win.
  const personal = join(homedir(), '.npmrc');
  const credentials = existsSync(personal) ? await readFile(personal, 'utf8') : '';
  const configuration = join(scratch, 'npmrc');
  await writeFile(configuration, `${credentials}\n${lines.join('\n')}\n`, { mode: 0o600 });
  return [
    ...['--volume', `${configuration}:/usr/local/etc/npmrc:ro`],
    ...['--volume', `${CERTIFICATES}:${CERTIFICATES}:ro`],
    ...['--volume', `${await npm('cache')}:/var/cache/npm`],
  ];
}
