// The statements that fill the tables, in order. Two connections process half of the tenants each.

/** UUIDs of version 7 sort by time, so each is generated for the time of its row. */
const idAgo = (seconds) => `uuidv7(make_interval(secs => -(${seconds})))`;
const ago = (seconds) => `(now() - make_interval(secs => ${seconds}))`;

const DAY = 86_400;
const DAYS = 300;

/** Planning tables, in addition to the product's. */
export const BOOK = `
  CREATE SCHEMA bench;
  CREATE UNLOGGED TABLE bench.tenant (n int, id uuid, findings int, projects int, scans int, events int);
  CREATE UNLOGGED TABLE bench.rule (n int, id text, severity text, title text, asset_type text);
  CREATE UNLOGGED TABLE bench.project (
    tenant int, tenant_id uuid, id uuid, k int, findings int, age double precision, last_scan_id uuid, last_scan_at timestamptz(3));
  CREATE UNLOGGED TABLE bench.scan (tenant int, tenant_id uuid, id uuid, i int, k int, at timestamptz(3));
  CREATE TABLE bench.definition (at int, sql text)`;

const TABLES = [
  'projects',
  'scans',
  'scan_projects',
  'findings',
  'scan_findings',
  'audit_events',
  'mutes',
];
const each = (change) => TABLES.map((table) => `ALTER TABLE public.${table} ${change};`).join(' ');

export const FIRST = [
  ['months', `SELECT partitions.ensure(now() - interval '13 months', 18)`],
  ['walls down', each('NO FORCE ROW LEVEL SECURITY')],
  [
    'constraints and indexes down',
    `INSERT INTO bench.definition
     SELECT 1, format('ALTER TABLE public.%I ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
     FROM pg_constraint WHERE contype = 'p' AND conrelid IN ('findings'::regclass, 'scan_findings'::regclass, 'audit_events'::regclass)
     UNION ALL
     SELECT 2, pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = 'findings'::regclass AND NOT indisprimary
     UNION ALL
     SELECT 3, format('ALTER TABLE public.findings ADD CONSTRAINT %I %s', conname, pg_get_constraintdef(oid))
     FROM pg_constraint WHERE contype = 'f' AND conrelid = 'findings'::regclass;
     DO $$
     DECLARE d record;
     BEGIN
       FOR d IN SELECT conrelid::regclass AS t, conname FROM pg_constraint
         WHERE conrelid = 'findings'::regclass AND contype = 'f'
            OR contype = 'p' AND conrelid IN ('findings'::regclass, 'scan_findings'::regclass, 'audit_events'::regclass)
         ORDER BY contype
       LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', d.t, d.conname); END LOOP;
       FOR d IN SELECT indexrelid::regclass AS i FROM pg_index WHERE indrelid = 'findings'::regclass
       LOOP EXECUTE format('DROP INDEX %s', d.i); END LOOP;
     END $$`,
  ],
  [
    'tenants',
    `INSERT INTO identity.tenants (id, name, features, created_at)
     SELECT id, 'Tenant ' || n, '{}', ${ago(DAYS * DAY)} FROM bench.tenant`,
  ],
  [
    'projects',
    // The first project is the oldest, and has a tenth of the data of a large tenant.
    `INSERT INTO bench.project
     SELECT t.n, t.id, ${idAgo(`${DAYS * DAY}::float8 * (1 - k::float8 / t.projects)`)}, k,
            CASE WHEN t.projects < 10 THEN t.findings / t.projects + CASE WHEN k < t.findings % t.projects THEN 1 ELSE 0 END
                 WHEN k = 0 THEN t.findings / 10
                 ELSE (t.findings - t.findings / 10) / (t.projects - 1) END,
            ${DAYS * DAY}::float8 * (1 - k::float8 / t.projects)
     FROM bench.tenant t CROSS JOIN LATERAL generate_series(0, t.projects - 1) k;
     INSERT INTO projects (tenant_id, id, name, created_at)
     SELECT tenant_id, id, 'project-' || k, ${ago('age')} FROM bench.project`,
  ],
  [
    'scans',
    `INSERT INTO bench.scan
     SELECT t.n, t.id, ${idAgo(`${DAYS * DAY}::float8 * (1 - i::float8 / t.scans)`)}, i, i % t.projects,
            ${ago(`${DAYS * DAY}::float8 * (1 - i::float8 / t.scans)`)}
     FROM bench.tenant t CROSS JOIN LATERAL generate_series(0, t.scans - 1) i;
     UPDATE bench.project p SET last_scan_id = s.id, last_scan_at = s.at
     FROM bench.scan s JOIN bench.tenant t ON t.n = s.tenant
     WHERE s.tenant = p.tenant AND s.k = p.k AND s.i >= t.scans - t.projects;
     INSERT INTO scans (tenant_id, id, status, profile, profile_digest, created_by_kind, created_by_label, created_at,
                        started_at, finished_at)
     SELECT tenant_id, id, CASE WHEN i % 97 = 5 THEN 'failed' WHEN i = 3 THEN 'cancelled' ELSE 'completed' END, 'full',
            'digest', 'api_key', 'nightly', at, at, at + interval '9 seconds' FROM bench.scan;
     INSERT INTO scan_projects (tenant_id, scan_id, project_id, name, position, status, chunks, chunks_done, assets,
                                evaluations, pass, fail)
     SELECT s.tenant_id, s.id, p.id, 'project-' || p.k, 1, 'completed', 20, 20, p.findings, p.findings * 9, p.findings * 8, p.findings
     FROM bench.scan s JOIN bench.project p ON p.tenant = s.tenant AND p.k = s.k;
     ANALYZE bench.project`,
  ],
];

/** `u`, `v`, `w` determine the rule, the time and the status of a finding; the squares make some rules frequent. */
export const PARTS = [
  [
    'findings',
    `INSERT INTO findings (tenant_id, id, project_id, fingerprint, rule_id, severity, title, asset_name, asset_type,
       asset_labels, subject, message, evidence, status, delta, first_seen_at, last_seen_at, resolved_at, resolved_reason,
       last_scan_id)
     SELECT p.tenant_id, ${idAgo('d.age')}, p.id, sha256((p.id::text || d.g)::bytea), r.id, r.severity, r.title,
       '//compute.googleapis.com/projects/acme-prod-' || p.k || '/zones/europe-west1-b/instances/vm-' || to_hex(d.g * 7919),
       r.asset_type, jsonb_build_object('env', CASE WHEN d.u < 0.5 THEN 'prod' ELSE 'test' END, 'team', 'team-' || d.g % 40),
       '', 'Port 22 is reachable from 0.0.0.0/0 by rule allow-' || d.g || ' of network default.',
       jsonb_build_array(jsonb_build_object('path', 'resource.data.networkInterfaces[0].accessConfigs[0].natIP',
                                            'value', '198.51.100.' || d.g % 250)),
       CASE WHEN d.w < 0.8 THEN 'open' ELSE 'resolved' END,
       CASE WHEN d.w < 0.7 THEN 'unchanged' WHEN d.w < 0.8 THEN 'new' ELSE 'resolved' END,
       ${ago('d.age')}, p.last_scan_at, CASE WHEN d.w >= 0.8 THEN p.last_scan_at END,
       CASE WHEN d.w >= 0.8 THEN 'fixed' END, p.last_scan_id
     FROM bench.project p
     CROSS JOIN LATERAL (
       SELECT g, u, w, CASE WHEN v < 0.2 THEN v * 5 * p.age ELSE p.age - g * 0.0001 END AS age
       FROM (SELECT g, random() AS u, random() AS v, random() AS w FROM generate_series(1, p.findings) g) dice
     ) d
     JOIN bench.rule r ON r.n = CASE WHEN p.k = 0 AND d.g % 5000 = 17 THEN (SELECT max(n) FROM bench.rule)
                                     ELSE floor(d.u * d.u * (SELECT max(n) FROM bench.rule))::int END
     WHERE p.tenant % ${2} = :part`,
  ],
  [
    'what scans saw',
    `INSERT INTO scan_findings (tenant_id, scan_id, finding_id, delta, scan_at)
     SELECT f.tenant_id, f.last_scan_id, f.id, f.delta, p.last_scan_at
     FROM findings f JOIN bench.project p ON p.tenant_id = f.tenant_id AND p.id = f.project_id
     WHERE p.tenant % ${2} = :part`,
  ],
  [
    'audit events',
    // The oldest few belong to a rule that never matched again.
    `INSERT INTO audit_events (tenant_id, id, at, action, outcome, actor_kind, actor_id, ip, correlation_id, subject, detail)
     SELECT t.id, ${idAgo('d.age')}, ${ago('d.age')},
       CASE WHEN e <= 5 THEN 'user.removed' WHEN u < 0.5 THEN 'scan.launched' WHEN u < 0.8 THEN 'inventory.uploaded'
            WHEN u < 0.9 THEN 'auth.login' WHEN u < 0.99 THEN 'auth.refresh' ELSE 'mute.created' END,
       CASE WHEN u < 0.02 THEN 'failure' ELSE 'success' END,
       CASE WHEN e <= 5 THEN 'global_key' WHEN u < 0.8 THEN 'api_key' ELSE 'jwt' END,
       overlay(overlay(md5(t.n || '-' || floor(u * 50)::text) placing '4' from 13) placing 'a' from 17)::uuid, '198.51.100.7', gen_random_uuid()::text, gen_random_uuid()::text,
       jsonb_build_object('profile', 'full', 'projects', 1)
     FROM bench.tenant t
     CROSS JOIN LATERAL (
       SELECT e, random() AS u, ${DAYS * DAY}::float8 * (1 - e::float8 / (t.events + 1)) AS age
       FROM generate_series(1, t.events) e
     ) d
     WHERE t.n % ${2} = :part`,
  ],
];

export const LAST = [
  [
    'mutes',
    // For each tenant: up to 200 single findings, two rare rules, one project.
    `INSERT INTO mutes (tenant_id, id, fingerprint, lookup, reason, expires_at, created_at)
     SELECT p.tenant_id, uuidv7(), sha256((p.id::text || g)::bytea), encode(sha256((p.id::text || g)::bytea), 'hex'),
            'accepted', now() + interval '90 days', now()
     FROM bench.project p CROSS JOIN LATERAL generate_series(1, LEAST(p.findings / 10, 20)) g WHERE p.k < 10;
     INSERT INTO mutes (tenant_id, id, rule_id, lookup, reason, expires_at, created_at)
     SELECT t.id, uuidv7(), r.id, 'rule:' || r.id, 'accepted', now() + interval '90 days', now()
     FROM bench.tenant t, bench.rule r WHERE r.n = (SELECT max(n) FROM bench.rule);
     INSERT INTO mutes (tenant_id, id, project_id, lookup, reason, expires_at, created_at)
     SELECT p.tenant_id, uuidv7(), p.id, 'project:' || p.id, 'accepted', now() + interval '90 days', now()
     FROM bench.project p WHERE p.k = 12`,
  ],
  [
    'constraints and indexes up',
    `DO $$
     DECLARE d record;
     BEGIN
       FOR d IN SELECT sql FROM bench.definition ORDER BY at LOOP EXECUTE d.sql; END LOOP;
     END $$`,
  ],
  ['walls up', each('FORCE ROW LEVEL SECURITY')],
  ['analyze', 'VACUUM ANALYZE'],
];
