import { escapeIdentifier, escapeLiteral } from 'pg';

export interface Roles {
  readonly app: string;
  readonly worker: string;
}

/** What the serving role does with each table of tenants. The audit trail it can add to and read, never change. */
const APP_TABLES: Record<string, string> = {
  projects: 'SELECT, INSERT, UPDATE, DELETE',
  inventories: 'SELECT, INSERT, UPDATE, DELETE',
  inventory_chunks: 'SELECT, INSERT, DELETE',
  scans: 'SELECT, INSERT, UPDATE',
  scan_projects: 'SELECT, INSERT, UPDATE',
  scan_rule_counts: 'SELECT',
  rulesets: 'SELECT, INSERT',
  findings: 'SELECT, DELETE',
  scan_findings: 'SELECT',
  mutes: 'SELECT, INSERT, DELETE',
  profiles: 'SELECT, INSERT, UPDATE, DELETE',
  custom_rules: 'SELECT, INSERT, UPDATE, DELETE',
  audit_events: 'SELECT, INSERT',
  audit_labels: 'SELECT',
  idempotency_records: 'SELECT, INSERT, DELETE',
};

const WORKER_TABLES: Record<string, string> = {
  projects: 'SELECT',
  inventories: 'SELECT, DELETE',
  inventory_chunks: 'SELECT',
  scans: 'SELECT, UPDATE, DELETE',
  scan_projects: 'SELECT, UPDATE',
  scan_rule_counts: 'SELECT, INSERT, UPDATE',
  scan_slots: 'SELECT, INSERT, UPDATE, DELETE',
  scan_claims: 'SELECT, INSERT, DELETE',
  rulesets: 'SELECT',
  custom_rules: 'SELECT',
  findings: 'SELECT, INSERT, UPDATE',
  scan_findings: 'SELECT, INSERT',
  idempotency_records: 'SELECT, DELETE',
};

/** graphile-worker's own tables have row-level security; these are the ones that a worker works on. */
const QUEUE_TABLES = ['jobs', 'job_queues', 'tasks', 'known_crontabs'];

/**
 * The rights of the roles that serve and scan, given anew at each migration, since their names are the operator's to
 * choose. Both are ordinary roles: they own nothing, and row-level security holds for them.
 */
export function grantStatements(roles: Roles): string[] {
  const app = escapeIdentifier(roles.app);
  const worker = escapeIdentifier(roles.worker);
  return [
    'REVOKE ALL ON ALL FUNCTIONS IN SCHEMA identity, jobs, partitions FROM PUBLIC',
    `GRANT USAGE ON SCHEMA public, identity, jobs TO ${app}`,
    ...Object.entries(APP_TABLES).map(([t, rights]) => `GRANT ${rights} ON public.${t} TO ${app}`),
    `GRANT SELECT ON public._prisma_migrations TO ${app}, ${worker}`,
    `GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA identity TO ${app}`,
    executeOn(['enqueue', 'depth'], app),
    `GRANT USAGE ON SCHEMA public, jobs, graphile_worker TO ${worker}`,
    ...Object.entries(WORKER_TABLES).map(
      ([t, rights]) => `GRANT ${rights} ON public.${t} TO ${worker}`,
    ),
    `GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA jobs TO ${worker}`,
    `GRANT SELECT ON graphile_worker.migrations TO ${worker}`,
    ...QUEUE_TABLES.flatMap((table) => queueAccess(`_private_${table}`, roles.worker)),
  ];
}

/** Functions of `jobs` by their names: a later release may have added others of the same name. */
function executeOn(names: readonly string[], role: string): string {
  const list = names.map((name) => escapeLiteral(name)).join(', ');
  return `DO $do$ DECLARE named regprocedure; BEGIN
      FOR named IN SELECT oid::regprocedure FROM pg_proc
        WHERE pronamespace = 'jobs'::regnamespace AND proname IN (${list})
      LOOP EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %s', named, ${escapeLiteral(role)}); END LOOP;
    END $do$`;
}

/**
 * A policy that is there is left alone, and so is that of another role: to drop one takes the table away from the workers
 * that run, and two roles are how one takes the other's place.
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
