import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { newApiKey } from '../../server/modules/auth/credentials/api-key.ts';
import { refusalsOf } from '../../tools/migrations/check.ts';
import { migrationsIn } from '../../tools/migrations/unreleased.ts';
import type { DatabaseUrls } from '../kit/database.ts';
import { type Environment, Fleet } from '../kit/fleet.ts';
import { until } from '../kit/until.ts';
import { BREAKING, laterMigrations } from './later-migrations.ts';
import { later, type Release, ROOT } from './release.ts';
import { type Account, Traffic } from './traffic.ts';

export interface Stage {
  readonly urls: DatabaseUrls;
  /** The folder for files that servers write. */
  readonly dataDir: string;
  readonly say: (line: string) => void;
}

/** Rounds of every client between two steps. */
const ROUNDS = 2;
const SAMPLE = join(ROOT, 'samples/shop-prod.ndjson');

/** A server and a worker, not yet started, and the first credentials of an empty database. */
export function staged(release: Release, { urls, dataDir }: Stage, account: Account) {
  const environment: Environment = {
    DATABASE_URL: urls.ownerUrl,
    DATABASE_APP_URL: urls.appUrl,
    DATABASE_WORKER_URL: urls.workerUrl,
    DATA_DIR: dataDir,
    APP_SECRET: 'a secret of 32 bytes or more that upgrades are rehearsed with',
    RATE_LIMIT: '1000000',
    LOG_LEVEL: 'error',
    TRUST_PROXY: '1',
    BOOTSTRAP_EMAIL: account.email,
    BOOTSTRAP_PASSWORD: account.password,
    BOOTSTRAP_API_KEY: account.key,
  };
  const fleet = new Fleet({ main: release.main, environment, servers: 1, workers: 1 });
  return { environment, fleet, url: () => fleet.servers[0]?.url ?? '' };
}

export function newAccount(): Account {
  const { key } = newApiKey();
  return {
    key,
    email: 'admin@example.com',
    password: 'correct horse battery staple',
    project: 'shop',
  };
}

export async function withInventory(url: string, { key, project }: Account): Promise<void> {
  const send = async (method: string, path: string, type: string, body: string | Uint8Array) => {
    const headers = { 'x-api-key': key, 'content-type': type };
    const response = await fetch(url + path, { method, headers, body: body as BodyInit });
    if (response.status !== 201)
      throw new Error(`${path}: ${response.status} ${await response.text()}`);
  };
  await send('POST', '/projects', 'application/json', JSON.stringify({ name: project }));
  const path = `/projects/${project}/inventory`;
  await send('PUT', path, 'application/x-ndjson', await readFile(SAMPLE));
}

export async function readiness(url: string): Promise<number> {
  return (await fetch(`${url}/health/ready`)).status;
}

/** Jobs that failed at least once, with their last errors. */
export async function failedJobs({ urls }: Stage): Promise<string[]> {
  return rows(
    urls,
    `SELECT last_error FROM graphile_worker._private_jobs WHERE last_error IS NOT NULL`,
  );
}

async function rows({ ownerUrl }: DatabaseUrls, text: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const result = await client.query({ text, rowMode: 'array' }).finally(() => client.end());
  return result.rows.map(([first]) => String(first));
}

/** @throws {Error} with the first failures and what the servers logged of them, if there are any. */
export function refuseFailures(
  traffic: Traffic,
  jobs: readonly string[],
  ...fleets: readonly Fleet[]
): void {
  const logged = fleets.flatMap(({ all }) => all).flatMap(({ output }) => output.split('\n'));
  const told = traffic.failures.slice(0, 5).flatMap(({ what, at, answer }) => {
    const [, id] = /"correlationId":"([^"]+)"/.exec(answer) ?? [];
    const lines = id === undefined ? [] : logged.filter((line) => line.includes(id));
    return [`  ${what} at ${at}: ${answer}`, ...lines.map((line) => `    ${line}`)];
  });
  told.push(...jobs.slice(0, 5).map((words) => `  a job: ${words}`));
  if (told.length > 0) throw new Error(`${traffic.summary}\n${told.join('\n')}`);
}

export function expect(what: string, actual: unknown, wanted: unknown): void {
  if (actual !== wanted) throw new Error(`${what}: ${actual}, not ${wanted}`);
}

/**
 * Checks that the running server and worker keep working while the migrations of a later release are applied, can
 * restart on its database, and would have failed with a breaking migration.
 * @param folder below dist, for the later release
 */
export async function beforeALaterRelease(
  now: Release,
  folder: string,
  stage: Stage,
): Promise<void> {
  const account = newAccount();
  const { environment, fleet, url } = staged(now, stage, account);
  const clients: Traffic[] = [];
  try {
    await fleet.start();
    await withInventory(url(), account);
    const traffic = new Traffic([url()], account);
    clients.push(traffic);
    traffic.start();
    await traffic.more(ROUNDS);

    const tables = await rows(
      stage.urls,
      `SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname IN ('public', 'identity') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
         AND c.relname <> '_prisma_migrations' ORDER BY 1`,
    );
    const migrations = laterMigrations(tables);
    await agrees(migrations, 0);
    const next = await later(now, join(folder, 'later'), migrations);
    const migrated = Date.now();
    await next.admin(environment, 'migrate');
    stage.say(
      `  later migrations applied to ${tables.length} tables in ${Date.now() - migrated} ms`,
    );
    expect('readiness on a database of a later release', await readiness(url()), 200);
    await traffic.more(ROUNDS);
    await traffic.stop();
    refuseFailures(traffic, await failedJobs(stage), fleet);
    stage.say(`  ${traffic.summary}`);

    await Promise.all(fleet.all.map((instance) => instance.stop()));
    await fleet.start();
    expect('readiness after a restart there', await readiness(url()), 200);

    await agrees(BREAKING, 1);
    const broken = await later(now, join(folder, 'breaking'), { ...migrations, ...BREAKING });
    const suffering = new Traffic([url()], account);
    clients.push(suffering);
    suffering.start();
    await broken.admin(environment, 'migrate');
    await until('a failure', async () => suffering.failures.length > 0);
    await suffering.stop();
    stage.say('  a column that was renamed broke it at once, as npm run check:migrations says');
  } finally {
    for (const each of clients) await each.stop();
    await fleet.kill();
  }
}

/** The migration check and this rehearsal must agree. */
async function agrees(
  migrations: Readonly<Record<string, string>>,
  refusals: number,
): Promise<void> {
  const added = Object.entries(migrations).map(([name, sql]) => ({ name, sql }));
  const refused = await refusalsOf(await migrationsIn(ROOT), added, () => false);
  expect(
    `refusals of npm run check:migrations (${JSON.stringify(refused)})`,
    refused.length,
    refusals,
  );
}

/**
 * An earlier release serves; today's migrates its database, joins it, and takes over. Each can use what the other
 * created.
 */
export async function afterAnEarlierRelease(
  before: Release,
  now: Release,
  stage: Stage,
): Promise<void> {
  const account = newAccount();
  const old = staged(before, stage, account);
  const young = staged(now, stage, account);
  const clients: Traffic[] = [];
  try {
    await old.fleet.start();
    await withInventory(old.url(), account);
    const traffic = new Traffic([old.url()], account);
    clients.push(traffic);
    traffic.start();
    await traffic.more(ROUNDS);
    const applied = async () =>
      (await rows(stage.urls, 'SELECT count(*) FROM _prisma_migrations'))[0];
    const earlier = await applied();
    await now.admin(young.environment, 'migrate');
    stage.say(
      `  of ${await applied()} migrations ${earlier} had been applied by ${before.name} server`,
    );
    expect('readiness of the earlier release', await readiness(old.url()), 200);
    await traffic.more(ROUNDS);
    await young.fleet.start();
    traffic.moveTo([old.url(), young.url()]);
    await traffic.more(2 * ROUNDS);
    traffic.moveTo([young.url()]);
    await traffic.more(1);
    for (const instance of old.fleet.all) await instance.stop();
    await traffic.more(ROUNDS);
    await traffic.stop();
    refuseFailures(traffic, await failedJobs(stage), old.fleet, young.fleet);
    stage.say(`  ${traffic.summary}`);
  } finally {
    for (const each of clients) await each.stop();
    await old.fleet.kill();
    await young.fleet.kill();
  }
}
