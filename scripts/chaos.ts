// npm run test:chaos -- --minutes 10 [--seed N]: three servers and two workers with Postgres and Redis, all of which
// are killed in every possible way while clients work. In the end, every acknowledged write must exist exactly once.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cspm } from '@cspm/sdk';
import pg from 'pg';
import { newApiKey } from '../server/modules/auth/credentials/api-key.ts';
import { Balancer } from '../tests/chaos/balancer.ts';
import { Caller } from '../tests/chaos/caller.ts';
import { Faults } from '../tests/chaos/faults.ts';
import { Ledger } from '../tests/chaos/ledger.ts';
import { Load } from '../tests/chaos/load.ts';
import { Memory } from '../tests/chaos/memory.ts';
import { outcomeOf } from '../tests/chaos/outcome.ts';
import { RestartablePostgres } from '../tests/chaos/postgres.ts';
import { Random } from '../tests/chaos/random.ts';
import { makeRelease, serverOf } from '../tests/chaos/release.ts';
import { memoryLines, requestLines } from '../tests/chaos/report.ts';
import { verify } from '../tests/chaos/verify.ts';
import { Violations } from '../tests/chaos/violations.ts';
import { manyClusters, ndjson } from '../tests/kit/export-records.ts';
import { Fleet } from '../tests/kit/fleet.ts';
import { hasRedis, startRedis } from '../tests/kit/redis.ts';
import { onDatabase } from '../tests/kit/server-process.ts';
import { scriptOptions } from '../tools/script-options.ts';

/** The run fails above this value. */
const MAX_GROWTH = 0.2;
const SETTLED_WITHIN_MS = 120_000;
/** The number of projects with an inventory. */
const PROJECTS = 4;
const ASSETS = 60;

const USAGE = 'npm run test:chaos -- --minutes 10 [--seed N]';

const { values } = scriptOptions(USAGE, {
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Date.now() % 100_000);
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error(`--minutes must be above 0, and --seed a whole number\nUsage: ${USAGE}`);
  process.exit(2);
}
if (!hasRedis()) {
  console.error('npm run test:chaos needs redis-server: apt-get install redis-server');
  process.exit(1);
}

const account = {
  email: 'chaos@example.com',
  password: 'correct horse battery staple',
  apiKey: newApiKey().key,
};
const random = new Random(seed);
const violations = new Violations();
const begun = Date.now();
const closing: (() => Promise<unknown>)[] = [];
const say = (line: string) =>
  console.log(`${((Date.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${line}`);

try {
  await run();
} catch (error) {
  violations.add('the run itself broke', error instanceof Error ? `${error.stack}` : String(error));
} finally {
  for (const close of closing.reverse()) await close().catch((error) => say(`${error}`));
}
for (const line of violations.lines()) console.log(line);
console.log(
  violations.count === 0
    ? `\nEverything held (seed ${seed}).`
    : `\n${violations.count} violations (seed ${seed}).`,
);
process.exit(violations.count === 0 ? 0 : 1);

async function run(): Promise<void> {
  say(`seed ${seed}, ${minutes} minutes; starting everything`);
  const release = await makeRelease();
  closing.push(() => rm(release, { recursive: true, force: true }));
  const postgres = await RestartablePostgres.make();
  closing.push(() => postgres.remove());
  const redis = await startRedis();
  closing.push(() => redis.kill());
  const fleet = new Fleet({
    main: join(serverOf(release), 'main.mjs'),
    environment: environment(postgres, redis.url),
  });
  closing.push(() => fleet.kill());
  await fleet.start();
  const balancer = new Balancer(fleet.servers, violations, random.fork());
  balancer.open();
  closing.push(async () => balancer.close());
  const caller = new Caller(balancer, violations);
  const cspm = caller.client(account);
  const { undisturbed, before } = await prepare(caller, cspm);
  say(
    `${undisturbed.size} projects of ${ASSETS} assets, each scanned twice undisturbed; the load begins`,
  );

  const ledger = new Ledger();
  const memory = new Memory(fleet.all);
  const projects = [...undisturbed.keys()];
  const load = new Load({ caller, ledger, violations, balancer, random, account, projects });
  const faults = new Faults({
    fleet,
    postgres,
    redis,
    balancer,
    violations,
    random: random.fork(),
    say,
  });
  const end = Date.now() + minutes * 60_000;
  const working = load.runUntil(end);
  await faults.runUntil(end);
  say('all faults have ended; waiting for requests in progress');
  await settled(working, 'clients to hear of all that they asked for');
  const halves = memory.halves();
  await settled(emptyQueue(postgres), 'the queue to be empty');
  say('verifying');
  const figures = await verify({ cspm, caller, ledger, violations, undisturbed, before });
  const total = [...faults.counts.values()].reduce((sum, count) => sum + count, 0);
  const counted = [...faults.counts].map(([name, count]) => `${name} ${count}`);
  console.log(`\n${total} faults: ${counted.join(', ')}`);
  for (const line of [
    ...figures,
    ...requestLines(balancer.seen, balancer.lostAnswers),
    ...memoryLines(halves),
  ])
    console.log(line);
  for (const { name, growth } of halves) {
    violations.demand(
      growth === null || growth <= MAX_GROWTH,
      'memory that grows',
      () => `${name}: ${((growth ?? 0) * 100).toFixed(1)} %`,
    );
  }
}

function environment(postgres: RestartablePostgres, redisUrl: string): Record<string, string> {
  return {
    ...onDatabase(postgres.urls),
    REDIS_URL: redisUrl,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    TRUST_PROXY: '1',
    RATE_LIMIT: '1000000',
    APP_SECRET: 'a secret that only this run knows of',
    WEB_URL: 'https://posture.example.com',
    // An address without a mail server: this run must not send mails.
    MAIL_URL: 'smtp://127.0.0.1:1',
    BOOTSTRAP_EMAIL: account.email,
    BOOTSTRAP_PASSWORD: account.password,
    BOOTSTRAP_API_KEY: account.apiKey,
    LOG_LEVEL: 'error',
  };
}

/** Creates projects with inventories, and records the results of an undisturbed scan. */
async function prepare(caller: Caller, cspm: Cspm) {
  const undisturbed = new Map<string, string>();
  const before: string[] = [];
  for (let made = 1; made <= PROJECTS; made += 1) {
    const name = `inventory-${made}`;
    await cspm.projects.create({ name });
    const inventory = ndjson(manyClusters(ASSETS, 1_000 * made));
    await cspm.projects.uploadInventory({ name, inventory });
    // The first scan finds everything new; later ones find it unchanged.
    for (const _ of [1, 2]) {
      const { id } = await cspm.scans.launch({ projects: [name], profile: 'full' });
      const scan = await caller.settleCall(() => cspm.scans.wait(id, { timeoutMs: 60_000 }));
      before.push(id);
      undisturbed.set(name, await outcomeOf(cspm, scan));
    }
  }
  return { undisturbed, before };
}

async function settled(work: Promise<unknown>, what: string): Promise<void> {
  const late = Symbol('late');
  const timer = delay(SETTLED_WITHIN_MS, late, { ref: false });
  if ((await Promise.race([work, timer])) === late) {
    violations.add('what did not end', `not within ${SETTLED_WITHIN_MS / 1000} s: ${what}`);
  }
}

async function emptyQueue(postgres: RestartablePostgres): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.urls.ownerUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query('SELECT 1 FROM graphile_worker._private_jobs LIMIT 1');
      if (rows.length === 0) return;
      await delay(250);
    }
  } finally {
    await client.end();
  }
}
