// The requests for each tenant: every list, its filters one by one and the combinations that dashboards use.
import pg from 'pg';
import { keyOf } from '../keys.mjs';
import { subjectsOf } from './dataset.mjs';

/**
 * @typedef {object} Question
 * @property {string} name
 * @property {'findings' | 'summary' | 'finding' | 'scans' | 'audit' | 'projects'} list
 * @property {Record<string, string | readonly string[]>} query
 * @property {boolean} [linear] known to grow with what the tenant has
 */

/**
 * @typedef {object} Subject
 * @property {string} name
 * @property {string} tenantId
 * @property {string} apiKey
 * @property {number} findings
 * @property {readonly Question[]} questions
 */

/** Page 1,000 with 25 items per page; for a smaller tenant, a page near the end. */
const DEEP = 25_000;

/** @returns {Promise<Subject[]>} */
export async function subjects(ownerUrl) {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query('SELECT n, id, findings FROM bench.tenant ORDER BY n');
    const asked = [];
    for (const [name, n] of Object.entries(subjectsOf(rows))) {
      const { id, findings } = rows[n];
      const facts = await factsOf(client, id, findings);
      const apiKey = keyOf(name);
      const questions = questionsOf(facts).filter((q) => findings > 1 || q.name === 'first page');
      asked.push({ name, tenantId: id, apiKey, findings, questions });
    }
    return asked;
  } finally {
    await client.end();
  }
}

async function factsOf(client, tenantId, findings) {
  await client.query(`SELECT set_config('app.tenant_id', $1, false)`, [tenantId]);
  const value = async (sql, ...values) => {
    const { rows } = await client.query({
      text: sql,
      values: [tenantId, ...values],
      rowMode: 'array',
    });
    return rows[0]?.[0] ?? null;
  };
  const deep = (table, condition = '') =>
    value(
      `WITH n AS (SELECT LEAST(${DEEP}, count(*) * 9 / 10) AS n FROM ${table} WHERE tenant_id = $1 ${condition})
       SELECT id FROM ${table} WHERE tenant_id = $1 ${condition} ORDER BY id DESC OFFSET (SELECT n FROM n) LIMIT 1`,
    );
  const oldest = await value('SELECT id FROM bench.project WHERE tenant_id = $1 AND k = 0');
  return {
    findings,
    id: await deep('findings'),
    deepFinding: await deep('findings'),
    deepMedium: await deep('findings', `AND severity = 'medium'`),
    deepOldest: await deep('findings', `AND project_id = '${oldest}'`),
    deepScan: await deep('scans'),
    deepEvent: await deep('audit_events'),
    deepProject: await deep('projects'),
    rules: (await client.query('SELECT id FROM bench.rule ORDER BY n')).rows.map(({ id }) => id),
    projects: Number(await value('SELECT count(*) FROM bench.project WHERE tenant_id = $1')),
    scan: await value('SELECT last_scan_id FROM bench.project WHERE tenant_id = $1 AND k = 0'),
    scanIds: (
      await client.query('SELECT id FROM bench.scan WHERE tenant_id = $1 ORDER BY i LIMIT 25', [
        tenantId,
      ])
    ).rows.map(({ id }) => id),
    actor: await value(
      `SELECT actor_id FROM audit_events WHERE tenant_id = $1 AND action = 'scan.launched' LIMIT 1`,
    ),
    from: await value(`SELECT min(at) + interval '3 days' FROM audit_events WHERE tenant_id = $1`),
  };
}

const after = (id) => (id === null ? {} : { cursor: Buffer.from(id).toString('base64url') });

/** @returns {Question[]} */
function questionsOf(facts) {
  const [frequent, second] = facts.rules;
  const rare = facts.rules.at(-1);
  const oldest = 'project-0';
  const newest = `project-${facts.projects - 1}`;
  const ten = Array.from({ length: 10 }, (_, k) => `project-${k}`);
  const to = new Date(facts.from.getTime() + 86_400_000).toISOString();
  const findings = [
    ['first page', {}],
    ['first page of 100', { limit: '100' }],
    ['page 1,000', after(facts.deepFinding)],
    ['status=open', { status: 'open' }],
    ['status=resolved', { status: 'resolved' }],
    ['severity=critical', { severity: 'critical' }],
    ['severity=info (few, the oldest)', { severity: 'info' }],
    ['severity=critical,high', { severity: ['critical', 'high'] }],
    ['severity=medium, page 1,000', { severity: 'medium', ...after(facts.deepMedium) }],
    ['status=open severity=critical', { status: 'open', severity: 'critical' }],
    ['status=resolved severity=info', { status: 'resolved', severity: 'info' }],
    ['rule (frequent)', { rule: frequent }],
    ['rule (few, the oldest)', { rule: rare }],
    ['ten rules', { rule: facts.rules.slice(0, 10) }],
    ['rule status=open', { rule: second, status: 'open' }],
    ['rule (few) status=resolved', { rule: rare, status: 'resolved' }],
    ['project (oldest)', { project: oldest }],
    ['project (newest)', { project: newest }],
    ['project (oldest), page 1,000', { project: oldest, ...after(facts.deepOldest) }],
    ['ten projects', { project: ten }],
    ['project status=open', { project: oldest, status: 'open' }],
    ['project severity=critical', { project: oldest, severity: 'critical' }],
    ['project severity=info', { project: oldest, severity: 'info' }],
    ['project status=open severity=high', { project: oldest, status: 'open', severity: 'high' }],
    ['scan', { scan: facts.scan }],
    ['muted=false', { muted: 'false' }],
    ['muted=false status=open', { muted: 'false', status: 'open' }],
  ];
  const growing = [
    ['project rule (frequent)', { project: oldest, rule: frequent }],
    ['project (newest) rule (none)', { project: newest, rule: rare }],
    ['scan severity=critical', { scan: facts.scan, severity: 'critical' }],
    ['scan severity=info', { scan: facts.scan, severity: 'info' }],
    ['muted=true', { muted: 'true' }],
  ];
  const scans = [
    ['first page', {}],
    ['page 1,000', after(facts.deepScan)],
    ['status=completed', { status: 'completed' }],
    ['status=failed', { status: 'failed' }],
    ['status=cancelled (one, the oldest)', { status: 'cancelled' }],
    ['project (oldest)', { project: oldest }],
    ['project and status=failed', { project: oldest, status: 'failed' }],
    ['25 ids', { ids: facts.scanIds }],
  ];
  const audit = [
    ['first page', {}],
    ['page 1,000', after(facts.deepEvent)],
    ['action=scan.launched', { action: 'scan.launched' }],
    ['actor (a person)', { actor: facts.actor }],
    ['a day, long ago', { from: facts.from.toISOString(), to }],
  ];
  const gone = [
    ['action=user.removed (five, the oldest)', { action: 'user.removed' }],
    ['actor=global_key (five, the oldest)', { actor: 'global_key' }],
  ];
  const of = (list, asked, more = {}) =>
    asked.map(([name, query]) => ({ name, list, query, ...more }));
  return [
    ...of('findings', findings),
    ...of('findings', growing, { linear: true }),
    { name: 'one', list: 'finding', query: { id: facts.id } },
    { name: 'of a project', list: 'summary', query: { project: newest }, linear: true },
    { name: 'all', list: 'summary', query: {}, linear: true },
    ...of('scans', scans),
    ...of('audit', audit),
    ...of('audit', gone, { linear: true }),
    ...of('projects', [
      ['first page', {}],
      ['near the end', after(facts.deepProject)],
    ]),
  ];
}

const PATHS = {
  findings: '/findings',
  summary: '/findings/summary',
  scans: '/scans',
  audit: '/audit-events',
  projects: '/projects',
};

/** @param {Question} question */
export function pathOf({ list, query }) {
  if (list === 'finding') return `/findings/${query.id}`;
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
  );
  return search.size === 0 ? PATHS[list] : `${PATHS[list]}?${search}`;
}
