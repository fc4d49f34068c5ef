import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { scriptOptions } from '../../tools/script-options.ts';
import { RestartablePostgres } from '../chaos/postgres.ts';
import { makeRelease, serverOf } from '../chaos/release.ts';
import { Violations } from '../chaos/violations.ts';
import { Instance } from '../kit/fleet.ts';
import { freePort } from '../kit/free-port.ts';
import { TestMailServer } from '../kit/mail-server.ts';
import { hasRedis, startRedis } from '../kit/redis.ts';
import { onDatabase } from '../kit/server-process.ts';
import { WebhookReceiver } from '../kit/webhook-receiver.ts';
import { Busy, Callers } from './callers.ts';
import { judge } from './judge.ts';
import { newTenant, runLoad, type Tenant } from './load.ts';
import { picture } from './picture.ts';
import { csv, Samples, type Watched } from './samples.ts';

const USAGE = `npm run soak -- --minutes 60 [--out folder] [--shared]
With --shared, other programs use the machine, and 503 is no fault.`;
const TENANTS = 3;
const SHOWN_EVERY_SAMPLES = 6;

/** @returns the exit code. */
export async function soak(args: readonly string[]): Promise<number> {
  const { values } = scriptOptions(USAGE, {
    args: [...args],
    options: {
      minutes: { type: 'string', default: '60' },
      out: { type: 'string', default: 'dist/soak' },
      shared: { type: 'boolean', default: false },
    },
  });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) return refuse(`--minutes must be above 0\nUsage: ${USAGE}`);
  if (!hasRedis()) return refuse('npm run soak needs redis-server: apt-get install redis-server');
  const closing: (() => Promise<unknown>)[] = [];
  const violations = new Violations();
  try {
    const { out, shared } = values;
    await run({ minutes, out, shared }, violations, closing);
  } catch (error) {
    violations.add('the run itself broke', error instanceof Error ? `${error.stack}` : `${error}`);
  } finally {
    for (const close of closing.reverse()) await close().catch((error) => say(`${error}`));
  }
  for (const line of violations.lines()) print(line);
  print(violations.count === 0 ? '\nNothing grew, and every response was expected.' : '\nFailed.');
  return violations.count === 0 ? 0 : 1;
}

function refuse(why: string): number {
  print(why);
  return 1;
}

const begunMs = Date.now();

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function say(line: string): void {
  print(`${((Date.now() - begunMs) / 60_000).toFixed(1).padStart(6)} min  ${line}`);
}

interface Run {
  readonly minutes: number;
  readonly out: string;
  readonly shared: boolean;
}

async function run(
  { minutes, out, shared }: Run,
  violations: Violations,
  closing: (() => Promise<unknown>)[],
): Promise<void> {
  say('starting Postgres, Redis, two servers and two workers');
  const release = await makeRelease();
  closing.push(() => rm(release, { recursive: true, force: true }));
  const postgres = await RestartablePostgres.make();
  closing.push(() => postgres.remove());
  const redis = await startRedis();
  closing.push(() => redis.kill());
  const mails = await TestMailServer.start();
  closing.push(() => mails.stop());
  const tls = await certificateOfLoopback(closing);
  const receiver = await WebhookReceiver.start(tls);
  closing.push(() => receiver.close());
  const environment = {
    ...onDatabase(postgres.urls),
    ...environmentOf(redis.url, mails.url),
    NODE_EXTRA_CA_CERTS: tls.file,
  };
  const processes: { instance: Instance; metricsPort: number }[] = [];
  for (const [name, WORKER] of [
    ['server 1', 'off'],
    ['server 2', 'off'],
    ['worker 1', 'only'],
    ['worker 2', 'only'],
  ] as const) {
    const metricsPort = await freePort();
    const own = { ...environment, WORKER, METRICS_PORT: String(metricsPort) };
    const instance = new Instance(name, join(serverOf(release), 'main.mjs'), own);
    closing.push(() => instance.kill());
    processes.push({ instance, metricsPort });
  }
  await Promise.all(processes.map(({ instance }) => instance.start()));
  const urls = processes.map(({ instance }) => instance.url).filter((url) => url !== '');
  const callers = new Callers(urls, violations, shared);
  const tenants: Tenant[] = [];
  for (let made = 1; made <= TENANTS; made += 1) {
    tenants.push(await tenantOf(made, callers, mails, receiver));
  }
  const watched = processes.map(({ instance, metricsPort }): Watched => {
    const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
    return { name: instance.name, metricsUrl, pid: instance.pid ?? 0 };
  });
  const samples = new Samples(watched, callers, postgres.urls.ownerUrl, () => violations.count);
  say(
    `${tenants.length} tenants; ${minutes} minutes of load begin (load average ${loadavg()[0]?.toFixed(1)})`,
  );
  const endMs = Date.now() + minutes * 60_000;
  let deliveries = 0;
  const sampling = samples.runUntil(endMs, ({ values }) => {
    deliveries += receiver.received.splice(0).length;
    mails.received.splice(0);
    if (samples.taken.length % SHOWN_EVERY_SAMPLES !== 0) return;
    const shown = [
      'server 1 rss MiB',
      'worker 1 rss MiB',
      'postgres connections',
      'dead rows %',
      'latency p99 ms',
    ];
    say(shown.map((column) => `${column} ${values.get(column)?.toFixed(0)}`).join(', '));
  });
  await Promise.all([runLoad(tenants, callers, endMs), sampling]);
  for (const { instance } of processes) {
    violations.demand(instance.pid !== null, 'processes that ended', () => instance.name);
    const error = /^.*"level":(50|60).*$/m.exec(instance.output)?.[0];
    violations.demand(shared || error === undefined, 'errors in the log', () => {
      return `${instance.name}: ${error}`;
    });
    if (shared && error !== undefined) say(`${instance.name} logged ${error.slice(0, 300)}`);
  }
  violations.demand(deliveries > 0, 'webhooks that were not delivered', () => 'none arrived');
  await mkdir(out, { recursive: true });
  await writeFile(join(out, 'soak.csv'), csv(samples.taken));
  const names = processes.map(({ instance }) => instance.name);
  await writeFile(join(out, 'soak.svg'), picture(samples.taken, names));
  say(
    `${callers.requests} requests, ${callers.busy} turns that met a busy machine, ${callers.scans} scans, ${deliveries} deliveries of webhooks; load average ${loadavg()[0]?.toFixed(1)}`,
  );
  for (const { column, gain, median, grows, bound } of judge(samples.taken)) {
    const shares = `${bound.absolute} and ${bound.relative * 100} %`;
    const line = `${column}: median ${median.toFixed(1)}, ${gain === null ? 'too few samples for a trend' : `gained ${gain.toFixed(1)} over the second half`} (bound: ${shares})`;
    print(`${grows ? 'GROWS ' : '      '} ${line}`);
    violations.demand(!grows, 'what grows', () => line);
  }
  say(`wrote ${join(out, 'soak.csv')} and ${join(out, 'soak.svg')}`);
}

async function tenantOf(
  number: number,
  ...[callers, mails, receiver]: [Callers, TestMailServer, WebhookReceiver]
): Promise<Tenant> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await newTenant(`tenant-${number}-${attempt}`, callers, mails, receiver);
    } catch (error) {
      if (!(error instanceof Busy)) throw error;
    }
  }
}

function environmentOf(redisUrl: string, mailUrl: string): Record<string, string> {
  return {
    REDIS_URL: redisUrl,
    // A busy machine must not look like an outage.
    REDIS_TIMEOUT_MS: '60000',
    DATABASE_TIMEOUT_MS: '60000',
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    TRUST_PROXY: '1',
    RATE_LIMIT: '1000000',
    REGISTRATION: 'open',
    APP_SECRET: 'a secret that only this run knows of',
    WEB_URL: 'https://posture.example.com',
    MAIL_URL: mailUrl,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
  };
}

/** In production, webhooks go to https:// only. */
async function certificateOfLoopback(closing: (() => Promise<unknown>)[]) {
  const folder = await mkdtemp(join(tmpdir(), 'cspm-soak-'));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  const [key, file] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  await promisify(execFile)('openssl', [
    ...[
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-keyout',
      key,
      '-out',
      file,
    ],
    ...['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'],
  ]);
  return { key: await readFile(key, 'utf8'), cert: await readFile(file, 'utf8'), file };
}
