// What Postgres spends: CPU of all its processes, and bytes of write-ahead log.
import pg from 'pg';
import { parentOf, treeCpuSeconds } from './processes.mjs';

/**
 * @param {string} url the database, as its owner sees it; Postgres must run on this machine
 */
export async function postgresOf(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const ask = async () =>
    (
      await client.query(
        "SELECT pg_backend_pid() AS pid, (pg_current_wal_lsn() - '0/0')::float8 AS wal",
      )
    ).rows[0];
  const postmaster = parentOf((await ask()).pid);
  const spent = async () => ({ cpu: treeCpuSeconds(postmaster), wal: (await ask()).wal });
  return {
    /** @returns a function that returns what was spent since */
    begin: async () => {
      const before = await spent();
      return async () => {
        const after = await spent();
        return { cpuSeconds: after.cpu - before.cpu, walBytes: after.wal - before.wal };
      };
    },
    close: () => client.end(),
  };
}
