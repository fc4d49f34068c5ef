import { newestRecord } from '../../tools/release/record.ts';
import type { DatabaseUrls } from '../kit/database.ts';
import { until } from '../kit/until.ts';
import { loadRecord, newKey, total } from '../upgrade/recorded.ts';
import { newAccount } from '../upgrade/side-by-side.ts';
import { IMAGE } from './build.ts';
import { check, demand } from './checks.ts';
import type { Docker } from './docker.ts';
import { NETWORK, type Topology } from './topology.ts';

const DATABASE = 'upgrade';
const START_MS = 60_000;
const ADDRESS = `{{(index .NetworkSettings.Networks "${NETWORK}").IPAddress}}`;

/** Migrates a database of the last release with the image, and serves its rows. */
export async function checkUpgrade(
  docker: Docker,
  topology: Topology,
  root: string,
): Promise<void> {
  const record = await newestRecord(root);
  const postgres = await topology.container('postgres');
  await docker.run(
    ...['exec', postgres, 'createdb', '--username', 'postgres', '--owner', 'cspm_owner', DATABASE],
  );
  const address = await docker.inspect(postgres, ADDRESS);
  const counts = await loadRecord(record, { urls: urlsAt(address, topology) });
  const account = newAccount();
  const inside = urlsAt('postgres', topology);
  const environment = {
    DATABASE_URL: inside.ownerUrl,
    DATABASE_APP_URL: inside.appUrl,
    DATABASE_WORKER_URL: inside.workerUrl,
    REDIS_URL: 'redis://redis:6379',
    APP_SECRET: topology.settings['APP_SECRET'] ?? '',
    WEB_URL: 'https://posture.example.com',
    MAIL_URL: 'smtp://mail.example.com:587',
    WORKER: 'off',
  };
  const options = [
    ...['--network', NETWORK, '--read-only', '--tmpfs', '/tmp'],
    ...Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
  ];
  await check(`the image migrates a database of ${record.version}`, async () => {
    await docker.run('run', '--rm', ...options, IMAGE, 'node', 'dist/server/admin.mjs', 'migrate');
    return `from ${record.migrations.length} migrations`;
  });
  await check(`the image serves the rows of ${record.version}`, async () => {
    const server = await docker.run('run', '--detach', ...options, IMAGE);
    const url = `http://${await docker.inspect(server, ADDRESS)}:3000`;
    await until('readiness after the upgrade', () => isReady(url), START_MS).catch(
      async (error: unknown) => {
        throw new Error(`${error}\n${await docker.run('logs', '--tail', '20', server)}`);
      },
    );
    const findings = await total(url, await newKey(url, account));
    const recorded = counts.get('public.findings');
    demand(findings === recorded, `${findings} findings are the ${recorded} of the record`);
    await docker.run('rm', '--force', server);
    return `${findings} findings`;
  });
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/health/ready`).catch(() => null);
  return response?.ok === true;
}

function urlsAt(host: string, { settings }: Topology): DatabaseUrls {
  const url = (role: string) =>
    `postgres://cspm_${role}:${settings[`${role.toUpperCase()}_PASSWORD`]}@${host}:5432/${DATABASE}`;
  return { ownerUrl: url('owner'), appUrl: url('app'), workerUrl: url('worker') };
}
