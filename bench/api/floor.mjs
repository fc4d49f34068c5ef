// The baseline: a bare node:http server with prepared statements, with the same SQL as ours, including the tenant
// setting for row-level security. No limits, no validation, no headers, no contract.
import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.APP_URL, max: 10 });

const server = createServer(async (req, res) => {
  try {
    const who = await authenticate(req.headers['x-api-key']);
    const answer = req.method === 'GET' ? await listScans(who) : await createProject(who, req);
    const body = JSON.stringify(answer.body);
    res.writeHead(answer.status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    });
    res.end(body);
  } catch (error) {
    res.writeHead(500).end(String(error));
  }
});
server.listen(0, '127.0.0.1', () => {
  console.log(`Serving on http://127.0.0.1:${server.address().port}`);
});
process.once('SIGTERM', () => process.exit(0));

const AUTHENTICATE = 'SELECT * FROM identity.authenticate_key($1, $2, $3)';

async function authenticate(key) {
  const [, publicId, secret] = /^cspm_(.{12})_(.{43})$/.exec(key);
  const { rows } = await pool.query({
    name: 'authenticate',
    text: AUTHENTICATE,
    values: [publicId, createHash('sha256').update(secret).digest(), new Date()],
  });
  return rows[0];
}

const LIST = `
  SELECT s.id, s.status, s.profile, s.profile_digest, s.created_by_kind, s.created_by_id, s.created_by_label, s.schedule_id, s.schedule_id,
         s.created_at, s.started_at, s.finished_at, s.coverage, p.projects
  FROM scans s
  CROSS JOIN LATERAL (
    SELECT json_agg(json_build_array(
      sp.name, sp.status, sp.assets, sp.evaluations, sp.error, sp.pass, sp.fail, sp.unknown,
      sp.critical, sp.high, sp.medium, sp.low, sp.info,
      sp.delta_new, sp.delta_resolved, sp.delta_reopened, sp.delta_unchanged
    ) ORDER BY sp.position) AS projects
    FROM scan_projects sp WHERE sp.tenant_id = s.tenant_id AND sp.scan_id = s.id
  ) p
  WHERE s.tenant_id = $1 AND ($2::uuid IS NULL OR s.id < $2) ORDER BY s.id DESC LIMIT $3`;

const PAGE = 25;

async function listScans({ tenant_id: tenantId }) {
  const rows = await inTenant(tenantId, async (client) => {
    const values = [tenantId, null, PAGE + 1];
    return (await client.query({ name: 'list', text: LIST, values })).rows;
  });
  const items = rows.slice(0, PAGE).map(scanOf);
  const more = rows.length > PAGE;
  const nextCursor = more ? Buffer.from(items[PAGE - 1].id).toString('base64url') : null;
  return { status: 200, body: { items, nextCursor } };
}

function scanOf(row) {
  const sum = (at) => row.projects.reduce((total, project) => total + project[at], 0);
  return {
    id: row.id,
    status: row.status,
    profile: row.profile,
    profileDigest: row.profile_digest,
    projects: row.projects.map((project) => ({
      name: project[0],
      status: project[1],
      assets: project[2],
      evaluations: project[3],
      findings: project[8] + project[9] + project[10] + project[11] + project[12],
      error: project[4],
    })),
    totals: {
      assets: sum(2),
      evaluations: sum(3),
      pass: sum(5),
      fail: sum(6),
      unknown: sum(7),
      bySeverity: { critical: sum(8), high: sum(9), medium: sum(10), low: sum(11), info: sum(12) },
    },
    delta: { new: sum(13), resolved: sum(14), reopened: sum(15), unchanged: sum(16) },
    coverage: row.coverage,
    createdBy: { kind: row.created_by_kind, id: row.created_by_id, label: row.created_by_label },
    scheduleId: row.schedule_id,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}

const INSERT_PROJECT = `
  INSERT INTO projects (tenant_id, id, name, description, created_at)
  VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (tenant_id, name) DO NOTHING RETURNING id`;

const INSERT_AUDIT = `
  INSERT INTO audit_events
    (tenant_id, id, at, action, outcome, actor_kind, actor_id, actor_label, target_tenant_id,
     ip, correlation_id, subject, detail)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`;

async function createProject(who, req) {
  const { name } = JSON.parse(await bodyOf(req));
  const id = randomUUID();
  const createdAt = new Date();
  await inTenant(who.tenant_id, async (client) => {
    await client.query('BEGIN');
    const project = [who.tenant_id, id, name, null, createdAt];
    await client.query({ name: 'insert-project', text: INSERT_PROJECT, values: project });
    await client.query({
      name: 'insert-audit',
      text: INSERT_AUDIT,
      values: [
        ...[who.tenant_id, randomUUID(), createdAt, 'project.created', 'success', 'api_key'],
        ...[who.user_id, who.email, null, req.socket.remoteAddress, randomUUID(), name],
        JSON.stringify({ projectId: id }),
      ],
    });
    await client.query('COMMIT');
  });
  return {
    status: 201,
    body: { id, name, description: null, inventory: null, hasSource: false, createdAt },
  };
}

function bodyOf(req) {
  return new Promise((resolve, reject) => {
    let text = '';
    req.setEncoding('utf8').on('data', (piece) => {
      text += piece;
    });
    req.on('end', () => resolve(text)).on('error', reject);
  });
}

/** The tenant that each connection is bound to. */
const bound = new WeakMap();

async function inTenant(tenantId, work) {
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
