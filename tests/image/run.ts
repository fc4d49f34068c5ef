import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from '../../tools/node-versions/node-versions.ts';
import { servicesArchive } from './base-images.ts';
import { buildImage } from './build.ts';
import { check, say, UnsuitableMachineError } from './checks.ts';
import { command } from './commands.ts';
import { checkContainers, checkImage, checkSigterm, checkUnhealthy } from './container-checks.ts';
import { Docker } from './docker.ts';
import { NAMESPACES, obstacle } from './prerequisites.ts';
import { scanThroughTheProxy } from './request-path.ts';
import { checkSbom } from './sbom-check.ts';
import { Topology } from './topology.ts';
import { checkUpgrade } from './upgrade.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = join(ROOT, 'scripts/test-image.ts');
/** The exit code of the process in the namespaces if the machine is not suitable. */
const NOT_RUN = 75;
/** Says that the process runs in namespaces of its own. */
const INSIDE = '--inside';

/** @returns the exit code. */
export async function testImage([mode, ...paths]: readonly string[]): Promise<number> {
  const startedAt = Date.now();
  try {
    if (mode === INSIDE) {
      await runInside(paths);
      return 0;
    }
    const reason = obstacle();
    if (reason !== null) {
      say(`Skipped: ${reason}.`);
      return 0;
    }
    const code = await buildAndRun();
    if (code === NOT_RUN) return 0;
    const seconds = ((Date.now() - startedAt) / 1_000).toFixed(0);
    say(`${code === 0 ? 'The image works' : 'The image does not work'} (${seconds} s).`);
    return code;
  } catch (error) {
    if (error instanceof UnsuitableMachineError) {
      say(`Skipped: ${error.message}`);
      return mode === INSIDE ? NOT_RUN : 0;
    }
    say(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

async function buildAndRun(): Promise<number> {
  await mkdir(cacheFolder(), { recursive: true });
  const scratch = await mkdtemp(join(cacheFolder(), 'run-'));
  try {
    let services = '';
    let image = '';
    await Promise.all([
      check('the services of compose.yaml, from Debian', async () => {
        services = await servicesArchive();
        return 'Postgres 17, Redis 8, nginx';
      }),
      check('the Dockerfile builds', async () => {
        image = await buildImage(ROOT, scratch);
        return 'with npm ci and npm run build';
      }),
    ]);
    const node = [process.execPath, ...process.execArgv, PROGRAM];
    const child = spawn('unshare', [...NAMESPACES, ...node, INSIDE, scratch, image, services], {
      cwd: ROOT,
      stdio: 'inherit',
    });
    const [code] = await once(child, 'exit');
    return code ?? 1;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function runInside([scratch = '', image = '', services = '']: readonly string[]) {
  await command('ip', ['link', 'set', 'lo', 'up']);
  const docker = await Docker.start(scratch);
  try {
    await docker.run('load', '--input', image);
    await checkImage(docker);
    await checkSbom(docker, ROOT);
    let topology: Topology | undefined;
    await check('compose.yaml starts', async () => {
      topology = await Topology.start(docker, ROOT, scratch, services);
      return 'Postgres, Redis, migration, two servers, worker, proxy';
    });
    if (topology !== undefined) await checkTopology(docker, topology);
  } finally {
    await docker.stop();
  }
}

async function checkTopology(docker: Docker, topology: Topology): Promise<void> {
  const { url, settings } = topology;
  const person = {
    email: settings['BOOTSTRAP_EMAIL'] ?? '',
    password: settings['BOOTSTRAP_PASSWORD'] ?? '',
  };
  try {
    await check('sign-in, upload, scan and findings through the proxy', () =>
      scanThroughTheProxy(url, person),
    );
    await checkContainers(docker, topology);
    await checkUpgrade(docker, topology, ROOT);
    await checkUnhealthy(docker, topology);
    await checkSigterm(docker, topology);
  } catch (error) {
    say(await topology.logs());
    throw error;
  } finally {
    await topology.compose('down', '--volumes', '--timeout', '5').catch(() => undefined);
  }
}
