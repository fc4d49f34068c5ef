// The size of a row on disk, in its table and in each index.
import pg from 'pg';
import { aligned } from '../report.mjs';

/** A partitioned table includes its partitions, which contain the rows. */
const SIZES = `
  WITH RECURSIVE part AS (
    SELECT c.oid AS root, c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    UNION ALL
    SELECT part.root, i.inhrelid FROM part JOIN pg_inherits i ON i.inhparent = part.oid
  )
  SELECT root::regclass::text AS name, sum(GREATEST(c.reltuples, 0)) FILTER (WHERE c.relkind = 'r')::bigint AS rows, sum(pg_total_relation_size(part.oid))::bigint AS total,
         sum(pg_table_size(part.oid))::bigint AS heap, sum(pg_indexes_size(part.oid))::bigint AS indexes
  FROM part JOIN pg_class c ON c.oid = part.oid
  GROUP BY root HAVING sum(GREATEST(c.reltuples, 0)) FILTER (WHERE c.relkind = 'r') >= 1000 ORDER BY total DESC`;

export async function sizes(ownerUrl) {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query(SIZES);
    const megabytes = (bytes) => (Number(bytes) / 2 ** 20).toFixed(0);
    const each = (row, of) => (Number(row[of]) / Number(row.rows)).toFixed(0);
    return aligned(
      [
        ['table', 'rows', 'MB', 'bytes a row', 'of it the table', 'the indexes'],
        ...rows.map((row) => [
          row.name,
          row.rows,
          megabytes(row.total),
          each(row, 'total'),
          each(row, 'heap'),
          each(row, 'indexes'),
        ]),
      ],
      (at) => at > 0,
    );
  } finally {
    await client.end();
  }
}
