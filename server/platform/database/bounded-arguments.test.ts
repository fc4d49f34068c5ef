import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { followOwnClock } from '../../../tests/kit/database-clock.ts';
import { MIN_RETENTION_MONTHS } from '../../modules/maintenance/retention.ts';
import { newId } from '../ids.ts';

let database: TestDatabase;
let app: pg.Client;
let worker: pg.Client;

const TENANT = newId();
const USER = newId();
const FAR = '2100-01-01T00:00:00Z';
const DENIED = { code: '42501' };

beforeAll(async () => {
  database = await cloneDatabase();
  await followOwnClock(database.ownerUrl);
  const { owner } = database;
  await owner.query(
    "INSERT INTO identity.tenants (id, name, features, created_at) VALUES ($1, 't', '{}', now())",
    [TENANT],
  );
  await owner.query(
    'INSERT INTO identity.users (id, email, name, created_at) VALUES ($1, $2, $2, now())',
    [USER, `${USER}@example.com`],
  );
  await owner.query(
    `INSERT INTO identity.memberships (tenant_id, user_id, role, status, created_at)
     VALUES ($1, $2, 'viewer', 'active', now())`,
    [TENANT, USER],
  );
  app = await connected(database.appUrl);
  worker = await connected(database.workerUrl);
  for (const client of [app, worker]) {
    await client.query("SELECT set_config('app.tenant_id', $1, false)", [TENANT]);
  }
});

afterAll(async () => {
  await app.end();
  await worker.end();
  await database.drop();
});

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

async function count(table: string, where = 'true'): Promise<number> {
  const { rows } = await database.owner.query(
    `SELECT count(*)::int AS n FROM ${table} WHERE ${where}`,
  );
  return rows[0].n;
}

/** The existing monthly partitions of a table. */
async function months(parent: string): Promise<string[]> {
  const { rows } = await database.owner.query(
    `SELECT right(relname, 7) AS month FROM pg_class WHERE relname ~ ('^' || $1 || '_\\d{4}_\\d{2}$') ORDER BY 1`,
    [parent],
  );
  return rows.map(({ month }) => month);
}

function monthsAgo(ago: number): string {
  const now = new Date();
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1));
  return month.toISOString().slice(0, 7).replace('-', '_');
}

describe('partitions', () => {
  it.each(['audit_events', 'scan_findings'])(
    'the worker role cannot drop partitions of %s for this or the last month, for any time it passes',
    async (parent) => {
      await database.owner.query("SELECT partitions.ensure(now() - interval '5 months', 9)");
      const before = await months(parent);
      for (const at of [FAR, 'infinity']) {
        await worker.query('SELECT jobs.retire_partitions($1, $2)', [parent, at]);
      }
      const kept = before.filter((month) => month >= monthsAgo(MIN_RETENTION_MONTHS));
      expect(kept.length).toBeLessThan(before.length);
      expect(await months(parent)).toEqual(kept);
    },
  );

  it('partitions are created for at most half a year ahead, regardless of the argument', async () => {
    for (const [since, ahead] of [
      ['now', 2_000_000_000],
      ['0001-01-01', 12],
      [FAR, 12],
    ]) {
      await worker.query('SELECT jobs.ensure_partitions($1, $2)', [since, ahead]);
    }
    const made = await months('audit_events');
    expect(made.every((month) => month >= monthsAgo(6) && month <= monthsAgo(-7))).toBe(true);
  });

  it.each([
    "jobs.retire_partitions('audit_events', now())",
    "jobs.retire_default_rows('audit_events', now(), 1)",
    'jobs.forget_identity(now())',
    'jobs.forget_registrations(now(), 1)',
    'jobs.ensure_partitions(now(), 1)',
    'jobs.tenants()',
    'partitions.ensure(now(), 1)',
  ])('the serving role cannot manage partitions: %s', async (call) => {
    await expect(app.query(`SELECT ${call}`)).rejects.toMatchObject(DENIED);
  });
});

describe('expired data', () => {
  it('the clock of the database determines which data has expired, even when the worker role passes a future time', async () => {
    const { owner } = database;
    await owner.query(
      `INSERT INTO identity.sessions (id, tenant_id, user_id, amr, created_at, expires_at)
       VALUES ($1, $2, $3, '{pwd}', now(), now() + interval '1 hour')`,
      [newId(), TENANT, USER],
    );
    await owner.query(
      `INSERT INTO identity.mail_tokens (hash, user_id, email, purpose, expires_at)
       VALUES (sha256('t'), $1, '', 'verify-email', now() + interval '1 hour')`,
      [USER],
    );
    await owner.query(
      `INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
       VALUES ('saml_request', 'v', '{}', now() + interval '1 hour')`,
    );
    await owner.query(
      "INSERT INTO identity.throttles (key, attempts, ends_at) VALUES ('k', 9, now() + interval '1 hour')",
    );
    for (const at of [FAR, 'infinity', null]) {
      await worker.query('SELECT jobs.forget_identity($1)', [at]);
    }
    for (const table of ['sessions', 'mail_tokens', 'one_time_values', 'throttles']) {
      expect([table, await count(`identity.${table}`)]).toEqual([table, 1]);
    }
  });

  it('the clock of the database determines which registrations have expired, even when the worker role passes a future time', async () => {
    const { owner } = database;
    const [tenant, user] = [newId(), newId()];
    await owner.query(
      'SELECT set_config($1, $2, false), identity.register_applicant($3, $4, $5, NULL, $6, now())',
      ['app.tenant_id', tenant, 't', user, `${user}@example.com`, 'a hash'],
    );
    for (const at of [FAR, 'infinity', null]) {
      await worker.query('SELECT jobs.forget_registrations($1, 1000)', [at]);
    }
    expect(await count('identity.users', `id = '${user}'`)).toBe(1);
  });

  it('the clock of the database determines which throttles have expired when the serving role reserves an attempt', async () => {
    const reserve = async (key: string, seconds = 900) => {
      const { rows } = await app.query(
        'SELECT identity.reserve_attempt($1, 1, $2, $3) AS reserved',
        [key, seconds, FAR],
      );
      return rows[0].reserved;
    };
    expect(await reserve('mine')).toBe(true);
    expect(await reserve('mine')).toBe(false);
    expect(await reserve('other', 2_000_000_000)).toBe(true);
    expect(await count('identity.throttles', "key = 'k' AND attempts = 9")).toBe(1);
    expect(await count('identity.throttles', "ends_at > now() + interval '2 days'")).toBe(0);
  });
});

describe('the queue', () => {
  it('the queue ignores a heartbeat in the future', async () => {
    await worker.query("SELECT jobs.beat(ARRAY['immortal'], $1)", [FAR]);
    expect(await count('jobs.heartbeats', 'beat_at > now()')).toBe(0);
    await expect(
      worker.query("SELECT jobs.beat(array_fill('w'::text, ARRAY[1000]), now())"),
    ).rejects.toMatchObject({ code: '54000' });
  });

  it('the queue takes no job from a worker with a recent heartbeat, for any time that the worker role passes', async () => {
    const { owner } = database;
    await worker.query("SELECT jobs.beat(ARRAY['alive'], now())");
    await owner.query("SELECT jobs.enqueue('scan-project', '{}', NULL, NULL)");
    await owner.query(
      "UPDATE graphile_worker._private_jobs SET locked_by = 'alive', locked_at = now()",
    );
    const { rows } = await worker.query('SELECT jobs.release_dead($1) AS dead', [FAR]);
    expect(rows[0].dead).toBe(0);
    expect(await count('graphile_worker._private_jobs', "locked_by = 'alive'")).toBe(1);
    await owner.query('DELETE FROM graphile_worker._private_jobs');
  });

  it('the worker role cannot make the queue retry scans without limit', async () => {
    await expect(
      worker.query("SELECT jobs.keep_trying('scan-project', '-1 year', '100 years')"),
    ).rejects.toMatchObject({ code: '22023' });
  });

  it.each([
    ['another task', "'shell', '{}', NULL, NULL", '22023'],
    ['a giant payload', "'send-mail', to_json(repeat('x', 300000)), NULL, NULL", '54000'],
    ['a giant queue name', "'send-mail', '{}', repeat('x', 1000), NULL", '54000'],
    ['many marks', "'send-mail', '{}', NULL, NULL, array_fill('m'::text, ARRAY[100])", '54000'],
  ])('the queue refuses %s from both roles', async (_what, given, code) => {
    for (const client of [app, worker]) {
      await expect(client.query(`SELECT jobs.enqueue(${given})`)).rejects.toMatchObject({ code });
    }
  });
});

describe('identities', () => {
  it('a master key is valid for a day at most, regardless of the argument', async () => {
    const { rows } = await app.query(
      "SELECT identity.enter_break_glass(sha256('k'), $1, 'infinity') < now() + interval '25 hours' AS bounded",
      [FAR],
    );
    expect(rows).toEqual([{ bounded: true }]);
  });

  it('the last use of a key cannot be recorded in the future', async () => {
    const key = newId();
    await app.query("SELECT identity.create_key($1, 'public', $2, 'k', sha256('s'), now(), NULL)", [
      key,
      USER,
    ]);
    await app.query('SELECT identity.touch_key($1, $2)', [key, FAR]);
    const lastUsed = "last_used_at BETWEEN now() AND now() + interval '1 hour'";
    expect(await count('identity.api_keys', lastUsed)).toBe(1);
  });
});
