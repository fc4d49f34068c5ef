import { escapeIdentifier, escapeLiteral } from 'pg';

export interface Roles {
  readonly app: string;
  readonly worker: string;
}

/** Privileges of the serving role on each tenant table. It can read the audit trail and add to it, never change it. */
const APP_TABLES: Record<string, string> = {
  projects: 'SELECT, INSERT, UPDATE, DELETE',
  inventories: 'SELECT, INSERT, UPDATE, DELETE',
  inventory_chunks: 'SELECT, INSERT, DELETE',
  inventory_assets: 'SELECT, INSERT, DELETE',
  sources: 'SELECT, INSERT, UPDATE, DELETE',
  pulls: 'SELECT, INSERT, UPDATE, DELETE',
  pull_pages: 'SELECT, INSERT, DELETE',
  scans: 'SELECT, INSERT, UPDATE',
  scan_projects: 'SELECT, INSERT, UPDATE',
  scan_rule_counts: 'SELECT',
  scan_verdicts: 'SELECT',
  rulesets: 'SELECT, INSERT',
  findings: 'SELECT, DELETE',
  finding_repeats: 'SELECT',
  scan_findings: 'SELECT',
  mutes: 'SELECT, INSERT, DELETE',
  posture_days: 'SELECT',
  posture_totals: 'SELECT, UPDATE, DELETE',
  saved_views: 'SELECT, INSERT, UPDATE, DELETE',
  notification_settings: 'SELECT, INSERT, UPDATE, DELETE',
  schedules: 'SELECT, INSERT, UPDATE, DELETE',
  webhooks: 'SELECT, INSERT, UPDATE, DELETE',
  webhook_events: 'SELECT, INSERT',
  webhook_deliveries: 'SELECT, INSERT, UPDATE, DELETE',
  profiles: 'SELECT, INSERT, UPDATE, DELETE',
  custom_rules: 'SELECT, INSERT, UPDATE, DELETE',
  audit_events: 'SELECT, INSERT',
  audit_labels: 'SELECT',
  idempotency_records: 'SELECT, INSERT, DELETE',
};

const WORKER_TABLES: Record<string, string> = {
  projects: 'SELECT',
  inventories: 'SELECT, UPDATE, DELETE',
  inventory_chunks: 'SELECT',
  inventory_assets: 'SELECT, INSERT, DELETE',
  scans: 'SELECT, UPDATE, DELETE',
  scan_projects: 'SELECT, UPDATE',
  scan_rule_counts: 'SELECT, INSERT, UPDATE',
  scan_verdicts: 'SELECT, INSERT, UPDATE, DELETE',
  scan_slots: 'SELECT, INSERT, UPDATE, DELETE',
  scan_claims: 'SELECT, INSERT, DELETE',
  rulesets: 'SELECT',
  custom_rules: 'SELECT',
  findings: 'SELECT, INSERT, UPDATE',
  finding_repeats: 'SELECT, INSERT, UPDATE',
  scan_findings: 'SELECT, INSERT',
  mutes: 'SELECT, DELETE',
  posture_days: 'SELECT, INSERT, UPDATE',
  posture_totals: 'SELECT, INSERT, UPDATE',
  notification_settings: 'SELECT, UPDATE',
  webhooks: 'SELECT',
  webhook_events: 'SELECT, INSERT, DELETE',
  webhook_deliveries: 'SELECT, INSERT, DELETE',
  idempotency_records: 'SELECT, DELETE',
};

/** graphile-worker's tables have row-level security; these are the ones that a worker changes. */
const QUEUE_TABLES = ['jobs', 'job_queues', 'tasks', 'known_crontabs'];

/** What the serving role calls for tenants on several databases. */
const CELL_FUNCTIONS = [
  'cell_of',
  'standing',
  'enter',
  'lock_tenant',
  'note_label',
  'this_tenant',
  'erase_member',
  'forward_event',
];
/** The worker role delivers what waits for tenants elsewhere. */
const COURIER_FUNCTIONS = ['waiting', 'member_since', 'delivered'];

/**
 * The privileges of the serving role and the worker role, granted at each migration because operators choose the role
 * names. Both are ordinary roles: they own nothing, and row-level security applies to them.
 */
export function grantStatements(roles: Roles): string[] {
  const app = escapeIdentifier(roles.app);
  const worker = escapeIdentifier(roles.worker);
  return [
    'REVOKE ALL ON ALL FUNCTIONS IN SCHEMA identity, jobs, partitions, cells FROM PUBLIC',
    `GRANT USAGE ON SCHEMA public, identity, jobs TO ${app}`,
    ...Object.entries(APP_TABLES).map(([t, rights]) => `GRANT ${rights} ON public.${t} TO ${app}`),
    `GRANT SELECT ON public._prisma_migrations TO ${app}, ${worker}`,
    `GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA identity TO ${app}`,
    executeOn('jobs', ['enqueue', 'enqueue_pull', 'depth', 'analyze_grown_mutes'], app),
    `GRANT USAGE ON SCHEMA cells TO ${app}, ${worker}`,
    executeOn('cells', CELL_FUNCTIONS, app),
    executeOn('cells', COURIER_FUNCTIONS, worker),
    `GRANT USAGE ON SCHEMA public, jobs, graphile_worker TO ${worker}`,
    ...Object.entries(WORKER_TABLES).map(
      ([t, rights]) => `GRANT ${rights} ON public.${t} TO ${worker}`,
    ),
    `GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA jobs TO ${worker}`,
    `GRANT SELECT ON graphile_worker.migrations TO ${worker}`,
    ...QUEUE_TABLES.flatMap((table) => queueAccess(`_private_${table}`, roles.worker)),
  ];
}

/** Functions of a schema by name; a later release may have added overloads. */
function executeOn(schema: string, names: readonly string[], role: string): string {
  const list = names.map((name) => escapeLiteral(name)).join(', ');
  return `DO $do$ DECLARE named regprocedure; BEGIN
      FOR named IN SELECT oid::regprocedure FROM pg_proc
        WHERE pronamespace = ${escapeLiteral(schema)}::regnamespace AND proname IN (${list})
      LOOP EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %s', named, ${escapeLiteral(role)}); END LOOP;
    END $do$`;
}

/**
 * Keeps existing policies, including those of other roles: dropping one would lock running workers out of the table,
 * and a role is replaced while both exist.
 */
function queueAccess(table: string, role: string): string[] {
  const full = `graphile_worker.${table}`;
  const worker = escapeIdentifier(role);
  return [
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${full} TO ${worker}`,
    `DO $do$ BEGIN
       IF NOT EXISTS (
         SELECT 1 FROM pg_policy
         WHERE polrelid = ${escapeLiteral(full)}::regclass AND polname = ${escapeLiteral(role)}
       ) THEN CREATE POLICY ${worker} ON ${full} FOR ALL TO ${worker} USING (true) WITH CHECK (true); END IF;
     END $do$`,
  ];
}
