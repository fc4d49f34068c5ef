// Fills a database with ten months of data, by statements on whole tables.
import pg from 'pg';
import { giveKey } from '../keys.mjs';
import { datasetOf, subjectsOf } from './dataset.mjs';
import { BOOK, FIRST, LAST, PARTS } from './seed-sql.mjs';

const CONNECTIONS = 2;

/**
 * @param {string} ownerUrl of a database that is migrated and has no tenants but the first
 * @param {{ tenants: number, findings: number }} scale
 * @param {readonly { id: string, severity: string, title: string, assetType: string }[]} rules the last one is given to a
 * few of the oldest findings alone
 * @param {(line: string) => void} say
 */
export async function seed(ownerUrl, scale, rules, say) {
  const dataset = datasetOf(scale);
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => connect(ownerUrl)));
  const [owner] = clients;
  const timed = async (what, work) => {
    const startedAt = performance.now();
    await work();
    say(`${what}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  };
  try {
    await owner.query(BOOK);
    await owner.query(
      `INSERT INTO bench.tenant SELECT n, gen_random_uuid(), findings, projects, scans, events
       FROM unnest($1::int[], $2::int[], $3::int[], $4::int[], $5::int[]) AS t(n, findings, projects, scans, events)`,
      ['n', 'findings', 'projects', 'scans', 'events'].map((key) => dataset.map((t) => t[key])),
    );
    await owner.query(
      `INSERT INTO bench.rule SELECT n - 1, id, severity, title, asset_type
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS r(id, severity, title, asset_type, n)`,
      ['id', 'severity', 'title', 'assetType'].map((key) => rules.map((rule) => rule[key])),
    );
    for (const [what, sql] of FIRST) await timed(what, () => owner.query(sql));
    for (const [what, sql] of PARTS) {
      await timed(what, () =>
        Promise.all(clients.map((client, at) => client.query(sql.replaceAll(':part', `${at}`)))),
      );
    }
    for (const [what, sql] of LAST) await timed(what, () => owner.query(sql));
    for (const [subject, n] of Object.entries(subjectsOf(dataset))) {
      const { rows } = await owner.query('SELECT id FROM bench.tenant WHERE n = $1', [n]);
      await giveKey(owner, rows[0].id, subject);
    }
  } finally {
    for (const client of clients) await client.end();
  }
}

async function connect(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "SET synchronous_commit = off; SET maintenance_work_mem = '1GB'; SET work_mem = '256MB'; SET max_parallel_maintenance_workers = 2",
  );
  return client;
}
