import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { migrationsIn } from '../../tools/migrations/unreleased.ts';
import type { ReleaseRecord } from '../../tools/release/record.ts';
import { until } from '../kit/until.ts';
import { type Release, ROOT } from './release.ts';
import { dumpRows, loadRows } from './rows.ts';
import {
  expect,
  failedJobs,
  newAccount,
  readiness,
  refuseFailures,
  type Stage,
  staged,
  withInventory,
} from './side-by-side.ts';
import { Traffic } from './traffic.ts';

const SCAN_MS = 120_000;

/** Resources that an API key can create, besides a project, an inventory and a scan of it. */
const MADE: readonly (readonly [path: string, body: object])[] = [
  ['/profiles', { name: 'custom:web-tier', include: ['category:storage', 'severity:critical'] }],
  [
    '/custom-rules',
    {
      id: 'bucket-has-owner',
      title: 'Bucket without an owner',
      description: 'Every bucket names its team in the label owner.',
      severity: 'high',
      assetTypes: ['storage.googleapis.com/Bucket'],
      predicate: '!has(resource.data.labels) || !has(resource.data.labels.owner)',
      recommendation: 'Set the label owner.',
    },
  ],
  [
    '/mutes',
    {
      selector: { ruleId: 'bucket-public', asset: '//storage.googleapis.com/shop-static-*' },
      reason: 'A static site, public on purpose',
      expiresAt: '2099-01-01T00:00:00.000Z',
    },
  ],
];

/** Starts the server on an empty database, creates one resource of each kind through its API, and returns the rows. */
export async function recordRows(now: Release, stage: Stage): Promise<string> {
  const account = newAccount();
  const { fleet, url } = staged(now, stage, account);
  try {
    await fleet.start();
    await withInventory(url(), account);
    const headers = { 'x-api-key': account.key };
    for (const [path, body] of MADE) await post(url() + path, body, headers, 201);
    const { id } = await post(
      `${url()}/scans`,
      { projects: [account.project], profile: 'full' },
      { ...headers, 'idempotency-key': randomUUID() },
      202,
    );
    await until(
      'the end of the scan',
      async () => {
        await delay(100);
        const scan = await fetch(`${url()}/scans/${id}`, { headers });
        return ((await scan.json()) as { status: string }).status === 'completed';
      },
      SCAN_MS,
    );
    await Promise.all(fleet.all.map((instance) => instance.stop()));
    return await asOwner(stage, dumpRows);
  } finally {
    await fleet.kill();
  }
}

/**
 * Builds the tables of a release from its own migrations, loads the rows that its server wrote, migrates to the present
 * and serves from them. Needs no code of that release, so it works in a clone without history.
 */
export async function onRecordedRows(
  record: ReleaseRecord,
  now: Release,
  stage: Stage,
): Promise<void> {
  const counts = await loadRecord(record, stage);
  const loaded = [...counts.values()].reduce((sum, count) => sum + count, 0);
  stage.say(`  ${record.migrations.length} migrations and ${loaded} rows of ${record.version}`);
  const account = newAccount();
  const { environment, fleet, url } = staged(now, stage, account);
  let traffic: Traffic | null = null;
  try {
    await now.admin(environment, 'migrate');
    await fleet.start();
    expect('readiness on the migrated database', await readiness(url()), 200);
    const key = await newKey(url(), account);
    const findings = await total(url(), key);
    expect('findings after the upgrade', findings, counts.get('public.findings'));
    traffic = new Traffic([url()], { ...account, key });
    traffic.start();
    await traffic.more(2);
    await traffic.stop();
    refuseFailures(traffic, await failedJobs(stage));
    stage.say(`  ${traffic.summary}`);
  } finally {
    await traffic?.stop();
    await fleet.kill();
  }
}

/**
 * Fills an empty database with the tables and rows of a release.
 * @returns how many rows there are of each table.
 */
export function loadRecord(
  record: ReleaseRecord,
  stage: Pick<Stage, 'urls'>,
): Promise<Map<string, number>> {
  return asOwner(stage, async (owner) => {
    await applyRecorded(record, owner);
    return loadRows(owner, record.text('rows.ndjson'));
  });
}

/**
 * Applies the migrations of the release and records them as Prisma does, without the grants, which today's server
 * makes.
 */
async function applyRecorded(record: ReleaseRecord, owner: pg.Client): Promise<void> {
  const present = new Map((await migrationsIn(ROOT)).map(({ name, sql }) => [name, sql]));
  await owner.query(BOOK);
  for (const { name, checksum } of record.migrations) {
    const sql = present.get(name);
    if (sql === undefined || createHash('sha256').update(sql).digest('hex') !== checksum) {
      throw new Error(
        `prisma/migrations/${name} was ${sql === undefined ? 'removed' : 'changed'} after ${record.version} was released. Restore it and write a new migration.`,
      );
    }
    await owner.query(sql);
    await owner.query(
      `INSERT INTO public._prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
       VALUES ($1, $2, now(), $3, 1)`,
      [randomUUID(), checksum, name],
    );
  }
}

/** The table as Prisma 7.10 creates it; the server reads it when it migrates. */
const BOOK = `
  CREATE TABLE public._prisma_migrations (
    id                  VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum            VARCHAR(64) NOT NULL,
    finished_at         TIMESTAMPTZ,
    migration_name      VARCHAR(255) NOT NULL,
    logs                TEXT,
    rolled_back_at      TIMESTAMPTZ,
    started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

/** The recording contains only hashes of keys, so the recorded account signs in and creates a new key. */
export async function newKey(
  url: string,
  account: { email: string; password: string },
): Promise<string> {
  const { email, password } = account;
  const { accessToken } = await post(`${url}/auth/login`, { email, password }, {}, 200);
  const headers = { authorization: `Bearer ${accessToken}` };
  return (await post(`${url}/api-keys`, { name: 'after the upgrade' }, headers, 201)).key;
}

/** How many findings the owner of the key sees. */
export async function total(url: string, key: string): Promise<number> {
  let count = 0;
  for (let cursor = ''; ; ) {
    const response = await fetch(`${url}/findings?limit=100${cursor}`, {
      headers: { 'x-api-key': key },
    });
    const { items, nextCursor } = (await response.json()) as {
      items: unknown[];
      nextCursor: string | null;
    };
    count += items.length;
    if (nextCursor === null) return count;
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
  }
}

async function post(
  url: string,
  body: object,
  headers: Record<string, string>,
  status: number,
  // biome-ignore lint/suspicious/noExplicitAny: callers read one member each
): Promise<any> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== status) throw new Error(`POST ${url}: ${response.status} ${text}`);
  return JSON.parse(text);
}

async function asOwner<T>(
  { urls }: Pick<Stage, 'urls'>,
  work: (owner: pg.Client) => Promise<T>,
): Promise<T> {
  const owner = new pg.Client({ connectionString: urls.ownerUrl });
  await owner.connect();
  return work(owner).finally(() => owner.end());
}
