import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian's packages and the program that each is needed for. */
const PROGRAMS = {
  buildah: 'buildah',
  dockerd: 'docker.io',
  'docker-compose': 'docker-compose',
  mmdebstrap: 'mmdebstrap',
  unshare: 'util-linux',
  ip: 'iproute2',
} as const;

/** The namespaces of the daemon: their network has no way out, and all processes in them end with the first one. */
export const NAMESPACES = ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];

/** The reason why images cannot be built and run here; null: they can. */
export function obstacle(): string | null {
  if (process.getuid?.() !== 0) return 'it needs root';
  const system = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  if (!/^ID=debian$/m.test(system)) return 'it needs Debian';
  if (process.arch !== 'x64') return 'it needs an x64 processor';
  const missing = Object.entries(PROGRAMS).filter(([program]) => !isInstalled(program));
  if (missing.length === 0) return mayMakeNamespaces() ? null : 'it may not make namespaces here';
  const packages = missing.map(([, name]) => name).join(' ');
  return `apt-get install --no-install-recommends ${packages}`;
}

/** Not so for root in a container without CAP_SYS_ADMIN. */
function mayMakeNamespaces(): boolean {
  return spawnSync('unshare', [...NAMESPACES, 'true']).status === 0;
}

function isInstalled(program: string): boolean {
  const folders = `${process.env['PATH'] ?? ''}${delimiter}/usr/sbin${delimiter}/sbin`;
  return folders.split(delimiter).some((folder) => existsSync(join(folder, program)));
}
