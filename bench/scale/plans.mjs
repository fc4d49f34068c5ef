// The query plans of the server's own statements, as the serving role and with row-level security.
import pg from 'pg';
import { tsImport } from 'tsx/esm/api';

/** After this many executions on a connection, Postgres has decided for or against a generic plan. */
const SETTLED_AFTER = 6;

export async function openPlanner(appUrl) {
  const load = (path) => tsImport(`../../server/modules/${path}.ts`, import.meta.url);
  const [findings, summary, scans, audit, projects] = await Promise.all(
    [
      'findings/queries',
      'findings/summary',
      'scans/queries',
      'audit/queries',
      'projects/queries',
    ].map(load),
  );
  const client = new pg.Client({ connectionString: appUrl });
  // If a run ends early, its database does too.
  client.on('error', () => undefined);
  await client.connect();
  await client.query("SET timezone = UTC; SET statement_timeout = '10s'");
  const ask = {
    findings: (db, { limit = 25, before, ...filter }) => {
      const muted = filter.muted === undefined ? undefined : filter.muted === 'true';
      const { scan } = filter;
      const after = before === null ? null : { id: before, key: '' };
      return findings.listFindings(
        db,
        { ...lists(filter), scan, muted },
        { sort: 'newest', after, limit: Number(limit) + 1, now: new Date() },
      );
    },
    finding: (db, { id }) => findings.findFinding(db, id, new Date()),
    summary: (db, query) => summary.summarise(db, lists(query), new Date()),
    scans: (db, { before, ...filter }) =>
      scans.listScans(db, { ...lists(filter), before, limit: 26 }),
    audit: (db, { before, from, to, ...filter }) =>
      audit.newestEvents(db, { ...lists(filter), from, to }, { before, limit: 26 }),
    projects: (db, { before }) => projects.selectProjects(db, { before, limit: 26 }),
  };
  return {
    /** The plan of each statement behind a request. */
    async plansOf(tenantId, { list, query }) {
      await client.query(`SELECT set_config('app.tenant_id', $1, false)`, [tenantId]);
      const plans = [];
      const db = {
        tenantId,
        sql: async (statement, values = []) => {
          const { rows, plan } = await explain(client, statement, values);
          plans.push(plan);
          return rows;
        },
      };
      const { cursor, ...rest } = query;
      const before = cursor === undefined ? null : Buffer.from(cursor, 'base64url').toString();
      await ask[list](db, { ...rest, before });
      return plans;
    },
    close: () => client.end(),
  };
}

const lists = (filter) =>
  Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, [value].flat()]));

async function explain(client, { text }, values) {
  await client.query(`PREPARE asked AS ${text}`);
  try {
    const run =
      values.length === 0 ? 'EXECUTE asked' : `EXECUTE asked(${values.map(literal).join(', ')})`;
    for (let time = 0; time < SETTLED_AFTER - 1; time += 1) await client.query(run);
    const { rows: answer } = await client.query(run);
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${run}`);
    const lines = await client.query({
      text: `EXPLAIN (ANALYZE, BUFFERS) ${run}`,
      rowMode: 'array',
    });
    const plan = { ...digest(rows[0]['QUERY PLAN'][0]), text: lines.rows.flat().join('\n') };
    return { rows: answer, plan };
  } finally {
    await client.query('DEALLOCATE asked');
  }
}

function literal(value) {
  if (value === null || value === undefined) return 'NULL';
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  if (Array.isArray(value))
    return pg.escapeLiteral(`{${value.map((one) => JSON.stringify(one)).join(',')}}`);
  return pg.escapeLiteral(String(value));
}

/** The relevant parts of a plan: how it finds rows, how many it discards, and how much it reads. */
function digest({ Plan: plan, 'Execution Time': ms, 'Planning Time': planningMs }) {
  const scans = [];
  let removed = 0;
  (function visit(node) {
    const loops = node['Actual Loops'] ?? 1;
    removed += (node['Rows Removed by Filter'] ?? 0) * loops;
    removed += (node['Rows Removed by Index Recheck'] ?? 0) * loops;
    if (
      loops > 0 &&
      /Scan/.test(node['Node Type']) &&
      (node['Index Name'] ?? node['Relation Name'])
    ) {
      scans.push(`${node['Node Type']} ${node['Index Name'] ?? node['Relation Name']}`);
    }
    for (const child of node.Plans ?? []) visit(child);
  })(plan);
  return {
    scans: [...new Set(scans)],
    removed,
    buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    ms,
    planningMs,
  };
}
