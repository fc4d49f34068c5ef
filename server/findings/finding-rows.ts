import type { Row, TenantConnection } from '../database/tenant-database.ts';
import { lastingMuteOf, mutedFindings, mutesOf, mutesOfAny } from './muting.ts';

/** A finding with the name of its project and the mute that lasts longest, if any is in force. */
export interface FindingRow extends Row {
  id: string;
  fingerprint: Buffer;
  rule_id: string;
  severity: string;
  title: string;
  project: string;
  asset_name: string;
  asset_type: string;
  subject: string;
  message: string;
  evidence: unknown;
  status: string;
  delta: string;
  first_seen_at: Date;
  last_seen_at: Date;
  resolved_at: Date | null;
  resolved_reason: string | null;
  mute_reason: string | null;
  mute_expires_at: Date | null;
  /** Of a rule that the tenant has written, for as long as it is there. */
  recommendation: string | null;
}

export interface FindingFilter {
  readonly project?: readonly string[] | undefined;
  readonly severity?: readonly string[] | undefined;
  readonly status?: readonly string[] | undefined;
  readonly rule?: readonly string[] | undefined;
  /** What that scan saw or resolved, under the delta that it gave. */
  readonly scan?: string | undefined;
  readonly muted?: boolean | undefined;
}

export interface FindingPage {
  /** The id after which the page begins; null: the newest. */
  readonly before: string | null;
  readonly limit: number;
  /** Decides which mutes are in force. */
  readonly now: Date;
}

/** Findings, newest first. */
export function listFindings(
  db: TenantConnection,
  filter: FindingFilter,
  page: FindingPage,
): Promise<FindingRow[]> {
  const query = new FindingQuery(db.tenantId, page.now);
  if (filter.scan !== undefined) query.ofScan(filter.scan);
  query.where('before', page.before, (before) => `${query.id} < ${before}::uuid`);
  query.where(
    'severity',
    filter.severity,
    (severities) => `f.severity = ANY (${severities}::text[])`,
  );
  query.where('status', filter.status, (statuses) => `f.status = ANY (${statuses}::text[])`);
  query.where('rule', filter.rule, (rules) => `f.rule_id = ANY (${rules}::text[])`);
  query.where('project', filter.project, (names) => `f.project_id = ANY (${idsOfProjects(names)})`);
  if (filter.muted !== undefined) query.whereMuted(filter.muted);
  return query.run(db, page.limit);
}

export async function findFinding(
  db: TenantConnection,
  id: string,
  now: Date,
): Promise<FindingRow | null> {
  const query = new FindingQuery(db.tenantId, now);
  query.where('id', id, (value) => `f.id = ${value}::uuid`);
  const [row] = await query.run(db, 1);
  return row ?? null;
}

const idsOfProjects = (names: string) =>
  `ARRAY(SELECT p.id FROM projects p WHERE p.tenant_id = $1 AND p.name = ANY (${names}::text[]))`;

/** A statement made of the conditions that there are, so that each kind of list has a plan and an index of its own. */
class FindingQuery {
  readonly #name = ['findings'];
  readonly #values: unknown[];
  readonly #tables: string[] = [];
  readonly #conditions = ['f.tenant_id = $1'];
  readonly #now = '$2::timestamptz';
  /** What pages are ordered by. Of a scan it is that of its own list of findings, which has them in this order. */
  id = 'f.id';
  #delta = 'f.delta';
  #from = 'findings f';

  constructor(tenantId: string, now: Date) {
    this.#values = [tenantId, now];
    this.#tables.push(mutesOfAny(this.#now));
  }

  where(name: string, value: unknown, condition: (placeholder: string) => string): void {
    if (value === undefined || value === null) return;
    this.#name.push(name);
    this.#conditions.push(condition(this.#placeholder(value)));
  }

  /** The time of the scan names the partition to look in. */
  ofScan(scanId: string): void {
    this.#name.push('scan');
    const id = this.#placeholder(scanId);
    this.#from = `
      scans s
      JOIN scan_findings sf ON sf.tenant_id = $1 AND sf.scan_id = s.id AND sf.scan_at = s.created_at
      JOIN findings f ON f.id = sf.finding_id`;
    this.#conditions.push('s.tenant_id = $1', `s.id = ${id}::uuid`);
    this.id = 'sf.finding_id';
    this.#delta = 'sf.delta';
  }

  /** Those that are muted are found by way of the mutes, few among many; those that are not, nearly anywhere. */
  whereMuted(muted: boolean): void {
    this.#name.push(muted ? 'muted' : 'unmuted');
    if (muted) {
      this.#tables.push(mutedFindings(this.#now));
      this.#conditions.push('f.id IN (SELECT id FROM muted)');
    } else {
      this.#conditions.push(`NOT EXISTS (${mutesOf(this.#now)})`);
    }
  }

  run(db: TenantConnection, limit: number): Promise<FindingRow[]> {
    const name = this.#name.join('-');
    const text = `
      WITH ${this.#tables.join(', ')}
      SELECT f.id, f.fingerprint, f.rule_id, f.severity, f.title, p.name AS project, f.asset_name, f.asset_type,
             f.subject, f.message, f.evidence, f.status, f.page_delta AS delta, f.first_seen_at, f.last_seen_at,
             f.resolved_at, f.resolved_reason, mute.reason AS mute_reason, mute.expires_at AS mute_expires_at,
             own.recommendation
      FROM (
        SELECT f.*, ${this.#delta} AS page_delta FROM ${this.#from}
        WHERE ${this.#conditions.join(' AND ')} ORDER BY ${this.id} DESC LIMIT ${this.#placeholder(limit)}
      ) f
      JOIN projects p ON p.tenant_id = $1 AND p.id = f.project_id
      LEFT JOIN LATERAL (${lastingMuteOf(this.#now)}) mute ON true
      LEFT JOIN custom_rules own ON own.tenant_id = $1 AND own.id = f.rule_id
      ORDER BY f.id DESC`;
    return db.sql<FindingRow>({ name, text }, this.#values);
  }

  #placeholder(value: unknown): string {
    this.#values.push(value);
    return `$${this.#values.length}`;
  }
}
