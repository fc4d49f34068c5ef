import pg from 'pg';

export const pool = new pg.Pool({ connectionString: process.env.APP_URL, max: 10 });

/** The tenant that each connection is bound to. */
const bound = new WeakMap();

export async function inTenant(tenantId, work) {
  const client = await pool.connect();
  try {
    if (bound.get(client) !== tenantId) {
      await client.query("SELECT set_config('app.tenant_id', $1, false)", [tenantId]);
      bound.set(client, tenantId);
    }
    return await work(client);
  } finally {
    client.release();
  }
}
