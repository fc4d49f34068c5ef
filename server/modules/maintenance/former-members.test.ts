import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { createPool } from '../../platform/database/pool.ts';
import { TenantDatabase } from '../../platform/database/tenant-database.ts';
import { newId } from '../../platform/ids.ts';
import { createLogger } from '../../platform/logger.ts';
import { eraseFormerMembers } from './former-members.ts';
import { retentionTask } from './retention.ts';

let server: TestServer;
/** Uses the worker's own database role. */
let tenants: TenantDatabase;
let runDaily: () => Promise<void>;
let close: () => Promise<void>;
let admin: TestUser;
/** Left when nothing was erased: by a release that deleted the membership alone. */
let former: TestUser;

beforeAll(async () => {
  server = await startTestServer();
  const pool = createPool({
    url: server.database.workerUrl,
    name: 'former members test',
    maxConnections: 2,
    statementTimeoutMs: 10_000,
    onError: () => undefined,
  });
  tenants = new TenantDatabase(pool);
  const services = { pool, tenants, clock: server.clock, log: createLogger('silent') };
  const task = retentionTask(services, { auditMonths: 2, scanMonths: 2, inventoriesKept: 2 });
  runDaily = () => task({}, { isLast: false, isStopping: () => false });
  close = () => pool.end();
});

afterAll(async () => {
  await close();
  await server.close();
});

const query = (sql: string, values: readonly unknown[] = []) =>
  rowsOf(server.database, admin.tenant.id, sql, values);

beforeEach(async () => {
  admin = await server.people.user();
  former = await server.people.user({ tenant: admin.tenant });
  const { tenant } = admin;
  const has = new Belongings(server.services, server.database, tenant);
  for (const { id, email } of [admin, former]) {
    const { id: pull, project } = await has.pull();
    const by = [id, email];
    const set = 'SET created_by_id = $2, created_by_label = $3';
    await query(`UPDATE sources ${set} WHERE project_id = $1`, [project.id, ...by]);
    await query(`UPDATE pulls ${set} WHERE id = $1`, [pull, ...by]);
    await query(`UPDATE scans ${set} WHERE id = $1`, [await has.scan(), ...by]);
    await query('INSERT INTO audit_labels (tenant_id, actor_id, label) VALUES ($1, $2, $3)', [
      tenant.id,
      ...by,
    ]);
    for (const shared of [true, false]) {
      await query(
        `INSERT INTO saved_views (tenant_id, id, owner_id, name, query, shared, created_at)
         VALUES ($1, $2, $3, $4, '', $5, now())`,
        [tenant.id, newId(), id, `shared: ${shared}`, shared],
      );
    }
    await query(
      `INSERT INTO notification_settings (tenant_id, user_id, digest) VALUES ($1, $2, 'daily')`,
      [tenant.id, id],
    );
  }
  await query('DELETE FROM identity.memberships WHERE user_id = $1', [former.id]);
});

/** What the tenant stores about a person. */
async function kept({ id }: TestUser) {
  const list = async (sql: string) => (await query(sql, [id])).map(({ value }) => value);
  const labels = 'SELECT created_by_label AS value FROM';
  return {
    scans: await list(`${labels} scans WHERE created_by_id = $1`),
    sources: await list(`${labels} sources WHERE created_by_id = $1`),
    pulls: await list(`${labels} pulls WHERE created_by_id = $1`),
    trail: await list('SELECT label AS value FROM audit_labels WHERE actor_id = $1'),
    views: await list('SELECT name AS value FROM saved_views WHERE owner_id = $1 ORDER BY name'),
    digests: await list('SELECT digest AS value FROM notification_settings WHERE user_id = $1'),
  };
}

const erase = (isStopping = false) =>
  eraseFormerMembers(tenants, admin.tenant.id, () => isStopping);

const NOTHING = {
  ...{ scans: ['removed user'], sources: ['removed user'], pulls: ['removed user'] },
  ...{ trail: [], views: ['shared: true'], digests: [] },
};

describe('the daily erasure of former members', () => {
  it('the daily erasure of former members removes names, private views and settings, and leaves those of members', async () => {
    const before = await kept(admin);
    const { email } = admin;
    expect(before).toEqual({
      ...{ scans: [email], sources: [email], pulls: [email], trail: [email] },
      ...{ views: ['shared: false', 'shared: true'], digests: ['daily'] },
    });
    expect((await kept(former)).scans).toEqual([former.email]);
    await runDaily();
    expect(await kept(former)).toEqual(NOTHING);
    expect(await kept(admin)).toEqual(before);
  });

  it('the daily erasure of former members leaves names of actors who are no persons', async () => {
    const has = new Belongings(server.services, server.database, admin.tenant);
    const set = `SET created_by_id = NULL, created_by_label = 'master key'`;
    await query(`UPDATE scans ${set} WHERE id = $1`, [await has.scan()]);
    await erase();
    const sql = 'SELECT created_by_label AS label FROM scans WHERE created_by_id IS NULL';
    expect(await query(sql)).toEqual([{ label: 'master key' }]);
  });

  it('the daily erasure of former members changes a few rows in each transaction, until none is left', async () => {
    const sql = 'SELECT jobs.erase_former_members(4) AS erased';
    const batches = [await query(sql), await query(sql), await query(sql)].flat();
    expect(batches).toEqual([{ erased: 4 }, { erased: 2 }, { erased: 0 }]);
    expect(await kept(former)).toEqual(NOTHING);
  });

  it('the daily erasure of former members does not wait for a row that is locked, and erases it the next time', async () => {
    const { owner } = server.database;
    await owner.query('BEGIN');
    await query('SELECT 1 FROM scans WHERE created_by_id = $1 FOR UPDATE', [former.id]);
    await erase();
    await owner.query('COMMIT');
    expect(await kept(former)).toEqual({ ...NOTHING, scans: [former.email] });
    await erase();
    expect(await kept(former)).toEqual(NOTHING);
  });

  it('the daily erasure of former members changes nothing when its worker is stopping', async () => {
    await erase(true);
    expect((await kept(former)).scans).toEqual([former.email]);
  });
});
