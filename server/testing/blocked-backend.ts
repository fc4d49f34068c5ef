import type { TestServer } from './test-server.ts';

/** The connection of the serving role that waits for a lock, asked for until there is one. */
export async function blockedBackend(on: TestServer): Promise<number> {
  const { pool } = on.services.authenticator;
  for (;;) {
    const { rows } = await pool.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND usename = current_user AND wait_event_type = 'Lock'`,
    );
    if (rows[0] !== undefined) return rows[0].pid;
  }
}
