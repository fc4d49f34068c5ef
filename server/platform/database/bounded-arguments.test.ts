import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { followOwnClock } from '../../../tests/kit/database-clock.ts';
import { LEAST_RETENTION_MONTHS } from '../../modules/maintenance/retention.ts';
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
    'of %s: the worker role cannot drop the present month or the one before, whatever time it passes',
    async (parent) => {
      await database.owner.query("SELECT partitions.ensure(now() - interval '5 months', 9)");
      const before = await months(parent);
      for (const at of [FAR, 'infinity']) {
        await worker.query('SELECT jobs.retire_partitions($1, $2)', [parent, at]);
      }
      const kept = before.filter((month) => month >= monthsAgo(LEAST_RETENTION_MONTHS));
      expect(kept.length).toBeLessThan(before.length);
      expect(await months(parent)).toEqual(kept);
    },
  );

  it('are made for half a year ahead at most, however many are asked for', async () => {
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
    'jobs.forget_identity(now())',
    'jobs.ensure_partitions(now(), 1)',
    'jobs.tenants()',
    'partitions.ensure(now(), 1)',
  ])('are none of the serving role’s business: %s', async (call) => {
    await expect(app.query(`SELECT ${call}`)).rejects.toMatchObject(DENIED);
  });
});

describe('expired data', () => {
  it('is determined by the clock of the database when the worker role passes a time in the future', async () => {
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

  it('determines expired throttles by the clock of the database when the serving role reserves an attempt', async () => {
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
  it('believes no heartbeat of the future', async () => {
    await worker.query("SELECT jobs.beat(ARRAY['immortal'], $1)", [FAR]);
    expect(await count('jobs.heartbeats', 'beat_at > now()')).toBe(0);
    await expect(
      worker.query("SELECT jobs.beat(array_fill('w'::text, ARRAY[1000]), now())"),
    ).rejects.toMatchObject({ code: '54000' });
  });

  it('takes no job from a worker with a recent heartbeat, for any time that the worker role passes', async () => {
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

  it('gives up scans by itself: they are not tried for longer', async () => {
    await expect(
      worker.query("SELECT jobs.keep_trying('scan-project', '-1 year', '100 years')"),
    ).rejects.toMatchObject({ code: '22023' });
  });

  it.each([
    ['another task', "'shell', '{}', NULL, NULL", '22023'],
    ['a giant payload', "'send-mail', to_json(repeat('x', 300000)), NULL, NULL", '54000'],
    ['a giant queue name', "'send-mail', '{}', repeat('x', 1000), NULL", '54000'],
    ['many marks', "'send-mail', '{}', NULL, NULL, array_fill('m'::text, ARRAY[100])", '54000'],
  ])('refuses %s from both roles', async (_what, given, code) => {
    for (const client of [app, worker]) {
      await expect(client.query(`SELECT jobs.enqueue(${given})`)).rejects.toMatchObject({ code });
    }
  });
});

describe('identities', () => {
  it('gives a master key a day at most', async () => {
    const { rows } = await app.query(
      "SELECT identity.enter_break_glass(sha256('k'), $1, 'infinity') < now() + interval '25 hours' AS bounded",
      [FAR],
    );
    expect(rows).toEqual([{ bounded: true }]);
  });

  it('is never said to have used a key in years to come', async () => {
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

/**
 * Every SECURITY DEFINER function, by the effect of its largest argument. When you add one, decide how its arguments
 * are bounded and list it here.
 */
const BOUNDED = {
  'clamps its time to the clock of the database': [
    'identity.begin_google',
    'identity.begin_saml',
    'identity.enter_break_glass',
    'identity.reserve_attempt',
    'identity.touch_key',
    'jobs.beat',
    'jobs.claim_webhooks',
    'jobs.ensure_partitions',
    'jobs.due_digests',
    'jobs.due_schedules',
    'jobs.forget_identity',
    'jobs.lease_deliveries',
    'jobs.postpone_digest',
    'jobs.postpone_schedule',
    'jobs.release_dead',
    'jobs.retire_partitions',
  ],
  'clamps its size, count or interval': [
    'identity.list_keys',
    'identity.list_members',
    'jobs.enqueue',
    'jobs.enqueue_pull',
    'jobs.keep_trying',
    'jobs.release_deliveries',
  ],
  'reads no more than the arguments name, or a bounded list': [
    'identity.account_of',
    'identity.account_standing',
    'identity.admin_addresses',
    'identity.authenticate_key',
    'identity.authenticate_session',
    'identity.belongs_elsewhere',
    'identity.custom_roles',
    'identity.exchange_code_tenant',
    'identity.find_google',
    'identity.find_login',
    'identity.find_member',
    'identity.find_tenant',
    'identity.google_request',
    'identity.has_domain_of',
    'identity.has_other_admin',
    'identity.has_pending_factor',
    'identity.has_saml',
    'identity.has_sso',
    'identity.is_newcomers_role',
    'identity.list_domains',
    'identity.list_sessions',
    'identity.mail_token_holder',
    'identity.membership_of',
    'identity.memberships_of',
    'identity.password_of',
    'identity.roles_at_domains',
    'identity.saml_candidate',
    'identity.saml_confirmation',
    'identity.saml_connection_of',
    'identity.saml_request',
    'identity.saml_request_browser',
    'identity.saml_settings',
    'identity.saml_tenant_of_domain',
    'identity.digest_recipient',
    'identity.schedule_creator',
    'identity.session_of',
    'identity.still_holds_password',
    'identity.tenant_of_sign_in',
    'identity.tenant_to_tell',
    'identity.this_tenant',
    'identity.two_factor_of',
    'jobs.abandoned',
    'jobs.depth',
    'jobs.tenants',
    'cells.cell_of',
    'cells.enter',
    'cells.guard',
    'cells.lock_tenant',
    'cells.standing',
    'cells.waiting',
  ],
  'changes rows of the one person, session, token or tenant that it names': [
    'identity.accept_invite',
    'identity.activate_membership',
    'identity.add_domain',
    'identity.admit_by_saml',
    'identity.begin_confirmation',
    'identity.begin_pending_factor',
    'identity.begin_two_factor',
    'identity.change_member',
    'identity.change_password',
    'identity.change_role',
    'identity.change_tenant',
    'identity.complete_confirmation',
    'identity.consume_google',
    'identity.consume_saml',
    'identity.create_key',
    'identity.create_role',
    'identity.create_session_key',
    'identity.delete_role',
    'identity.delete_saml_settings',
    'identity.disable_two_factor',
    'identity.enable_pending_factor',
    'identity.enable_two_factor',
    'identity.end_session',
    'identity.enter_by_google',
    'identity.enter_by_saml',
    'identity.invite_member',
    'identity.issue_exchange_code',
    'identity.issue_google_code',
    'identity.issue_mail_token',
    'identity.lock_tenant',
    'identity.note_confirmation_mail',
    'identity.note_label',
    'identity.open_session',
    'identity.put_saml_connection',
    'identity.put_saml_settings',
    'identity.raise_session',
    'identity.redeem_exchange_code',
    'identity.register',
    'identity.release_attempt',
    'identity.remove_domain',
    'identity.remove_member',
    'identity.replace_recovery_codes',
    'identity.require_confirmation',
    'identity.reset_password',
    'identity.revoke_key',
    'identity.revoke_session',
    'identity.revoke_sessions',
    'identity.rotate_refresh',
    'identity.set_domain_verified',
    'identity.shut_out',
    'identity.spend_mail_token',
    'identity.spend_recovery_code',
    'identity.spend_totp_step',
    'identity.verify_email',
    'identity.void_invitation',
    'identity.void_unproven',
    'jobs.forget',
    'jobs.note_digest',
    'jobs.note_schedule',
    'public.delete_asset_index',
    'jobs.note_webhook',
    'jobs.note_webhook_deliveries',
    'jobs.note_webhook_delivery',
    'cells.capture',
    'cells.delivered',
    'cells.erase_member',
    'cells.forward_event',
    'cells.note_label',
    'cells.note_removal',
  ],
} as const;

describe('functions that run as their owner', () => {
  it('are all known here by what their worst argument does', async () => {
    const { rows } = await database.owner.query<{ name: string }>(
      `SELECT DISTINCT n.nspname || '.' || p.proname AS name
       FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
       WHERE p.prosecdef AND n.nspname IN ('public', 'identity', 'jobs', 'partitions', 'cells') ORDER BY 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(Object.values(BOUNDED).flat().toSorted());
  });

  it('search no schema that a caller could put something into', async () => {
    const { rows } = await database.owner.query(
      `SELECT p.oid::regprocedure::text AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
       WHERE p.prosecdef AND n.nspname IN ('public', 'identity', 'jobs', 'partitions', 'cells')
         AND NOT ('search_path=pg_catalog, pg_temp' = ANY (p.proconfig))`,
    );
    expect(rows).toEqual([]);
  });

  it('read the time from a function that neither role can replace', async () => {
    for (const client of [app, worker]) {
      await expect(
        client.query(
          "CREATE OR REPLACE FUNCTION identity.not_after_now(at timestamptz) RETURNS timestamptz LANGUAGE sql AS 'SELECT at'",
        ),
      ).rejects.toMatchObject(DENIED);
    }
  });
});
