import { expect, it } from 'vitest';
import { move, OTHER, testCells } from '../../../tests/kit/cells.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { retentionOf } from '../../../tests/kit/retention.ts';
import { testPool } from '../../../tests/kit/test-pool.ts';
import { startTestServer } from '../../../tests/kit/test-server.ts';
import { newId } from '../../platform/ids.ts';

it('the retention task deletes expired rows that the directory database keeps of a tenant on another database', async () => {
  const databases = await testCells();
  const { home, cells } = databases;
  const server = await startTestServer({ database: home, cells });
  const pool = testPool(home.workerUrl, { maxConnections: 2 });
  try {
    const admin = await server.people.user();
    const { id: tenant } = admin.tenant;
    await move(databases, tenant, OTHER);
    const headers = { ...admin.session, 'idempotency-key': newId() };
    const create = { method: 'POST', body: { name: 'kept' }, headers };
    expect((await server.call('/api-keys', create)).status).toBe(201);
    const old = new Date(Date.UTC(2020, 0, 1));
    await rowsOf(
      home,
      tenant,
      `INSERT INTO audit_events (tenant_id, id, at, action, outcome, actor_kind, ip, correlation_id, detail)
       VALUES ($1, $2, $3, 'test', 'success', 'system', '', '', '{}')`,
      [tenant, newId(), old],
    );
    await rowsOf(
      home,
      tenant,
      'UPDATE idempotency_records SET expires_at = $2 WHERE tenant_id = $1',
      [tenant, old],
    );
    const kept = async (table: string) =>
      (await rowsOf(home, tenant, `SELECT 1 FROM ${table} WHERE tenant_id = $1`, [tenant])).length;
    const events = await kept('audit_events');
    expect(await kept('idempotency_records')).toBe(1);

    await retentionOf(server, pool)();
    expect(await kept('idempotency_records')).toBe(0);
    expect(await kept('audit_events')).toBe(events - 1);
    const { json } = await server.call('/audit-events', { headers: admin.session });
    const actions = json.items.map(({ action }: { action: string }) => action);
    expect(actions).toContain('api_key.created');
    expect(actions).not.toContain('test');
  } finally {
    await pool.end();
    await server.close();
    await databases.drop();
  }
});
