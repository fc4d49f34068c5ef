import { until } from '../kit/until.ts';
import { IMAGE } from './build.ts';
import { check, demand } from './checks.ts';
import type { Docker } from './docker.ts';
import { PROCESSES, SERVERS, type Topology } from './topology.ts';

const MIB = 1024 * 1024;
/** The application without Node. It was 24 MiB in November 2026. */
const APPLICATION_MAX_MIB = 32;
/** With Node, npm and Debian. */
const IMAGE_MAX_MIB = 360;
/** `stop_grace_period` of compose.yaml. */
const GRACE_MS = 40_000;

/** Checks what the image contains, and that it refuses to start without its settings. */
export async function checkImage(docker: Docker): Promise<void> {
  await check('the image is of bounded size', async () => {
    const all = Math.ceil(Number(await docker.inspect(IMAGE, '{{.Size}}')) / MIB);
    const [kilobytes = ''] = (await once(docker, 'du', '-sk', '/app')).split(/\s/);
    const application = Math.ceil(Number(kilobytes) / 1024);
    const found = `${application} MiB on top of Node, ${all} MiB in all`;
    demand(application <= APPLICATION_MAX_MIB && all <= IMAGE_MAX_MIB, `${found} are small enough`);
    return found;
  });
  await check('the image has nothing of the machine that built it', async () => {
    const names = ['.npmrc', 'npmrc', '.npm', '.git', 'node_modules.tgz', '.env'];
    const wanted = names.flatMap((name) => ['-o', '-name', name]).slice(1);
    const files = await once(docker, 'find', '/', '-xdev', '(', ...wanted, ')');
    const kept = files.split('\n').filter((file) => file !== '' && !file.includes('/npm/'));
    demand(kept.length === 0, `it has no configuration, and not ${kept}`);
    return 'no configuration of npm, no certificates, no secrets';
  });
  await check('production does not start without its settings', async () => {
    const started = await docker.run('run', '--rm', '--entrypoint', 'sh', IMAGE, '-c', REFUSAL);
    demand(started.includes('DATABASE_URL') && started.endsWith('code 1'), started);
    return 'names the missing variables and ends with code 1';
  });
}

const REFUSAL = 'node dist/server/main.mjs 2>&1; echo code $?';

/** Runs one program in a new container of the image. */
function once(docker: Docker, program: string, ...args: string[]): Promise<string> {
  return docker.run('run', '--rm', '--user', '0', '--entrypoint', program, IMAGE, ...args);
}

/** Checks the running containers of compose.yaml. */
export async function checkContainers(docker: Docker, topology: Topology): Promise<void> {
  await check('servers and worker run as an ordinary user', async () => {
    for (const name of PROCESSES) {
      const user = await docker.run('exec', await topology.container(name), 'id', '-u');
      demand(user === '1000', `${name} runs as user 1000, not ${user}`);
    }
    return 'user 1000';
  });
  await check('their root file system is read-only', async () => {
    for (const name of PROCESSES) {
      const container = await topology.container(name);
      const can = (path: string) => docker.succeeds('exec', '-u', '0', container, 'touch', path);
      demand(!(await can('/app/x')) && !(await can('/etc/x')), `${name} cannot write to it`);
      demand(await can('/tmp/x'), `${name} can write to /tmp`);
    }
    return 'only /tmp is writable';
  });
  await check('the health checks report servers and worker as healthy', async () => {
    for (const name of PROCESSES) {
      const container = await topology.container(name);
      // docker-compose has waited for the servers, but not for the worker.
      await until(`${name} to be healthy`, async () => {
        const health = await docker.inspect(container, '{{.State.Health.Status}}');
        return health === 'healthy';
      });
    }
    return PROCESSES.join(', ');
  });
  await check('both servers serve behind the proxy', async () => {
    for (const name of SERVERS) {
      const log = await docker.run('logs', await topology.container(name));
      demand(log.includes('"operation"'), `${name} has logged a request`);
    }
    return SERVERS.join(', ');
  });
}

/** Stops Postgres, so it runs last but one. */
export async function checkUnhealthy(docker: Docker, topology: Topology): Promise<void> {
  await check('the health check fails while Postgres is stopped', async () => {
    await topology.compose('stop', '--timeout', '10', 'postgres');
    const test = await docker.inspect(IMAGE, '{{json .Config.Healthcheck.Test}}');
    const [, ...words] = JSON.parse(test) as string[];
    const passed = await docker.succeeds('exec', await topology.container('server-1'), ...words);
    demand(!passed, 'it fails');
    return 'ends with another code than 0';
  });
}

export async function checkSigterm(docker: Docker, topology: Topology): Promise<void> {
  await check('SIGTERM ends servers and worker with code 0 in their grace period', async () => {
    const startedAt = Date.now();
    const containers = await Promise.all(PROCESSES.map((name) => topology.container(name)));
    await topology.compose('stop', ...PROCESSES);
    const took = Date.now() - startedAt;
    for (const container of containers) {
      const code = await docker.inspect(container, '{{.Name}} {{.State.ExitCode}}');
      demand(code.endsWith(' 0'), `${code} is code 0`);
    }
    demand(took < GRACE_MS, `${took} ms are less than the grace period`);
    return `${(took / 1_000).toFixed(1)} s`;
  });
}
