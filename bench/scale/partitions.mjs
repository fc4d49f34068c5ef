// npm run bench:scale -- --partitions: compares findings with a copy that is partitioned by a hash of the tenant.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { tsImport } from 'tsx/esm/api';
import { median } from '../numbers.mjs';
import { cpuSeconds } from '../processes.mjs';
import { aligned } from '../report.mjs';

const PARTITIONS = 16;
const ROUNDS = 5;
const PAGES_A_ROUND = 300;
const BATCHES_A_ROUND = 20;
const A_BATCH = 1_000;

const COPY = `
  CREATE TABLE public.findings_hashed (LIKE public.findings INCLUDING DEFAULTS) PARTITION BY HASH (tenant_id);
  ${Array.from(
    { length: PARTITIONS },
    (_, at) =>
      `CREATE TABLE partitions.findings_hashed_${at} PARTITION OF public.findings_hashed FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${at});`,
  ).join('\n')}
  ALTER TABLE public.findings NO FORCE ROW LEVEL SECURITY;
  ALTER TABLE public.projects NO FORCE ROW LEVEL SECURITY;
  INSERT INTO public.findings_hashed SELECT * FROM public.findings;
  DO $$
  DECLARE d text;
  BEGIN
    FOR d IN SELECT replace(replace(pg_get_indexdef(indexrelid), ' findings_', ' hashed_'), 'public.findings ', 'public.findings_hashed ')
             FROM pg_index WHERE indrelid = 'public.findings'::regclass
    LOOP EXECUTE d; END LOOP;
  END $$;
  ALTER TABLE public.findings_hashed ADD FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE;
  ALTER TABLE public.findings FORCE ROW LEVEL SECURITY;
  ALTER TABLE public.projects FORCE ROW LEVEL SECURITY;
  ALTER TABLE public.findings_hashed ENABLE ROW LEVEL SECURITY;
  ALTER TABLE public.findings_hashed FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant_isolation ON public.findings_hashed
    USING (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid);
  ANALYZE public.findings_hashed`;

const TABLES = { 'one table': 'findings', [`${PARTITIONS} partitions`]: 'findings_hashed' };

export async function partitions(ownerUrl, tenantIds, say) {
  const [{ listFindings }, { recordFindings }, { newId }] = await Promise.all(
    ['findings/finding-rows', 'findings/record', 'ids'].map((path) =>
      tsImport(`../../server/${path}.ts`, import.meta.url),
    ),
  );
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(`SET synchronous_commit = off; SET maintenance_work_mem = '1GB'`);
  /** @type {Record<string, Record<string, number[]>>} */
  const taken = {};
  try {
    const startedAt = performance.now();
    await client.query(COPY);
    say(`copied: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, table] of Object.entries(TABLES)) {
        for (const [who, tenantId] of Object.entries(tenantIds)) {
          const db = connectionOn(client, table, tenantId);
          await client.query(`SELECT set_config('app.tenant_id', $1, false)`, [tenantId]);
          for (const [what, filter] of Object.entries({
            'first page': {},
            'status=open': { status: ['open'] },
            'a project': { project: ['project-0'] },
          })) {
            const page = { before: null, limit: 26, now: new Date() };
            note(
              `${who}: ${what}, a page`,
              name,
              await perRun(client, PAGES_A_ROUND, () => listFindings(db, filter, page)),
            );
          }
          const { rows } = await client.query('SELECT id FROM projects LIMIT 1');
          await client.query('BEGIN');
          const scan = {
            scanId: newId(),
            projectId: rows[0].id,
            scanAt: new Date(),
            now: new Date(),
          };
          const write = () =>
            recordFindings(
              db,
              scan,
              Array.from({ length: A_BATCH }, () => finding(newId())),
            );
          const micros = await perRun(client, BATCHES_A_ROUND, write);
          await client.query('ROLLBACK');
          note(`${who}: a new finding`, name, micros / A_BATCH);
        }
      }
      say(`round ${round + 1}`);
    }
    const head = ['CPU of Postgres, µs', ...Object.keys(TABLES), 'ratio'];
    const lines = Object.entries(taken).map(([what, by]) => {
      const values = Object.keys(TABLES).map((name) => median(by[name]));
      return [what, ...values.map((value) => value.toFixed(1)), (values[1] / values[0]).toFixed(2)];
    });
    return aligned([head, ...lines], (at) => at > 0);
  } finally {
    await client.query('DROP TABLE IF EXISTS public.findings_hashed').catch(() => undefined);
    await client.end();
  }

  function note(what, name, value) {
    taken[what] ??= {};
    taken[what][name] ??= [];
    taken[what][name].push(value);
  }
}

/** The server's statements on that table. */
function connectionOn(client, table, tenantId) {
  const here = (text) => text.replaceAll(/(?<![.\w])findings(?![\w-])/g, table);
  return {
    tenantId,
    sql: async ({ name, text }, values = []) =>
      (
        await client.query({
          name: `${table}-${name}`.slice(0, 60),
          text: here(text),
          values: [...values],
        })
      ).rows,
  };
}

/** The CPU time of the one Postgres process behind the connection, independent of other load. */
async function perRun(client, runs, work) {
  const before = cpuSeconds(client.processID);
  for (let run = 0; run < runs; run += 1) await work();
  return ((cpuSeconds(client.processID) - before) * 1e6) / runs;
}

function finding(id) {
  return {
    id,
    fingerprint: randomBytes(32).toString('hex'),
    rule_id: 'fw-ssh-world',
    severity: 'high',
    title: 'SSH is open to the world',
    asset_name: `//compute.googleapis.com/projects/acme-prod-1/zones/europe-west1-b/instances/vm-${id}`,
    asset_type: 'compute.googleapis.com/Instance',
    subject: '',
    message: 'Port 22 is reachable from 0.0.0.0/0 by rule allow-1 of network default.',
    evidence: '[{"path":"resource.data.networkInterfaces[0]","value":"198.51.100.1"}]',
    asset_labels: '{"env":"prod","team":"team-1"}',
  };
}
