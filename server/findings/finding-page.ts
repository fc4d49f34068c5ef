import type { Severity } from '@cspm/scanner';
import { AFTER_ALL_IDS } from '../ids.ts';
import { mutedFindings, mutesOf, mutesOfAny } from './muting.ts';

/*
 * Which findings a page shows, in SQL, so that what it takes grows with the page and not with what the tenant has. There is
 * an index for each way in, and each ends in the id, by which pages are ordered: `project, severity, status`, `rule, status`
 * and `severity, status`. Of each value that was asked for, a page is read from the index in its order; the newest of all
 * these are the page. Left to itself, Postgres would walk through all findings of the tenant, newest first, until enough of
 * them fit, which takes as long as the first of them is old.
 */

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

/** A statement that gives `id` and `delta` of the findings of a page, or of a few more; `name` tells statements of another form apart. */
export interface PageQuery {
  readonly name: string;
  /** Common table expressions that `text` wants, `mutes_of_any` among them. */
  readonly tables: readonly string[];
  readonly text: string;
  /** The tenant and the moment are the first two. */
  readonly values: readonly unknown[];
}

/** A page over all findings of a tenant. */
export function pageOfTenant(
  tenantId: string,
  filter: FindingFilter,
  page: FindingPage,
): PageQuery {
  const paging = new Paging(tenantId, filter, page);
  return paging.query(paging.ofTenant());
}

/** A page over what a scan saw or resolved. */
export function pageOfScan(
  tenantId: string,
  scan: { readonly id: string; readonly at: Date },
  filter: FindingFilter,
  page: FindingPage,
): PageQuery {
  const paging = new Paging(tenantId, filter, page);
  return paging.query(paging.ofScan(scan));
}

const SEVERITIES = Object.keys({
  critical: true,
  high: true,
  medium: true,
  low: true,
  info: true,
} satisfies Record<Severity, true>);
const STATUSES = ['open', 'resolved'];
/**
 * How many a statement reads, as a number in its text: of one in a placeholder Postgres assumes a tenth of all rows, and
 * plans for that. Few sizes, as each is prepared: the standard page, the largest, and that of an export; one more of each
 * tells whether there is a next.
 */
const PAGES = [26, 101, 501];
const NOW = '$2::timestamptz';

/** The values that a filter names, each once, or all that there are. */
const distinct = (named: readonly string[] | undefined, all: readonly string[]) => [
  ...new Set(named ?? all),
];

class Paging {
  readonly #name: string[] = [];
  readonly #values: unknown[];
  readonly #filter: FindingFilter;
  readonly #tables = [mutesOfAny(NOW)];
  readonly #before: string;
  readonly #limit: number;

  constructor(tenantId: string, filter: FindingFilter, { before, limit, now }: FindingPage) {
    this.#values = [tenantId, now];
    this.#filter = filter;
    this.#before = `${this.#placeholder(before ?? AFTER_ALL_IDS)}::uuid`;
    this.#limit = PAGES.find((size) => size >= limit) ?? limit;
    this.#name.push(`of-${this.#limit}`);
  }

  query(text: string): PageQuery {
    const name = ['findings', ...this.#name].join('-');
    return { name, tables: this.#tables, text, values: this.#values };
  }

  ofTenant(): string {
    const { project, severity, status, rule, muted } = this.#filter;
    if (muted === true) return this.#muted();
    if (project !== undefined) return this.#ofProjects(project);
    if (rule !== undefined) return this.#ofRules(rule);
    if (severity !== undefined || status !== undefined) return this.#ofSeverities();
    return this.#newest('all', []);
  }

  #ofSeverities(): string {
    return this.#merged('severities', [this.#severities(), this.#statuses()], []);
  }

  #ofRules(rules: readonly string[]): string {
    const values = this.#placeholder(distinct(rules, []));
    const of = { table: `unnest(${values}::text[])`, column: 'rule_id' };
    return this.#merged('rules', [of, this.#statuses()], this.#restOf({ severity: true }));
  }

  /** The rule stands in the same index, after the id: it is compared there. */
  #ofProjects(projects: readonly string[]): string {
    const names = this.#placeholder(distinct(projects, []));
    const of = {
      table: `(
        SELECT p.id FROM unnest(${names}::text[]) AS by_name(value)
        CROSS JOIN LATERAL (SELECT p.id FROM projects p WHERE p.tenant_id = $1 AND p.name = by_name.value LIMIT 1) p
      )`,
      column: 'project_id',
    };
    const by = [of, this.#severities(), this.#statuses()];
    return this.#merged('projects', by, this.#restOf({ rule: true }));
  }

  #severities() {
    const values = this.#placeholder(distinct(this.#filter.severity, SEVERITIES));
    return { table: `unnest(${values}::text[])`, column: 'severity' };
  }

  #statuses() {
    const values = this.#placeholder(distinct(this.#filter.status, STATUSES));
    return { table: `unnest(${values}::text[])`, column: 'status' };
  }

  /** Those that are muted are found by way of the mutes: few among many, whatever else is asked for. */
  #muted(): string {
    this.#tables.push(mutedFindings(NOW));
    this.#name.push('muted');
    const rest = this.#restOf({ project: true, severity: true, status: true, rule: true });
    const conditions = [`f.id < ${this.#before}`, ...rest];
    return `SELECT f.id, NULL AS delta FROM muted f WHERE ${conditions.join(' AND ')}
            ORDER BY f.id DESC LIMIT ${this.#limit}`;
  }

  /**
   * The list of a scan is in the order of ids within a partition, which is named by its month: with the month in the text,
   * Postgres plans for that partition alone, and reads it in its order. A finding may be gone with its project.
   */
  ofScan(scan: { readonly id: string; readonly at: Date }): string {
    const month = (ahead: number) =>
      new Date(Date.UTC(scan.at.getUTCFullYear(), scan.at.getUTCMonth() + ahead)).toISOString();
    this.#name.push('scan', month(0).slice(0, 7));
    const { muted } = this.#filter;
    const conditions = [
      'f.tenant_id = $1',
      'f.id = sf.finding_id',
      ...(muted === true ? [this.#isMuted()] : []),
      ...(muted === false ? [this.#isUnmuted()] : []),
      ...this.#restOf({ project: true, severity: true, status: true, rule: true }),
    ];
    return `SELECT sf.finding_id AS id, sf.delta
            FROM scan_findings sf
            CROSS JOIN LATERAL (SELECT 1 FROM findings f WHERE ${conditions.join(' AND ')} LIMIT 1) f
            WHERE sf.tenant_id = $1 AND sf.scan_id = ${this.#placeholder(scan.id)}::uuid
              AND sf.scan_at = ${this.#placeholder(scan.at)}::timestamptz
              AND sf.scan_at >= '${month(0)}' AND sf.scan_at < '${month(1)}'
              AND sf.finding_id < ${this.#before}
            ORDER BY sf.finding_id DESC LIMIT ${this.#limit}`;
  }

  /** Of each combination of values the newest, and of these the newest. */
  #merged(
    name: string,
    by: readonly { readonly table: string; readonly column: string }[],
    conditions: readonly string[],
  ): string {
    const tables = by.map(({ table, column }) => `${table} AS by_${column}(value)`);
    const equal = by.map(({ column }) => `f.${column} = by_${column}.value`);
    const newest = this.#newest(name, [...equal, ...conditions]);
    return `SELECT f.id, NULL AS delta FROM ${tables.join(' CROSS JOIN ')} CROSS JOIN LATERAL (${newest}) f
            ORDER BY f.id DESC LIMIT ${this.#limit}`;
  }

  #newest(name: string, conditions: readonly string[]): string {
    this.#name.push(name);
    const all = ['f.tenant_id = $1', `f.id < ${this.#before}`, ...conditions];
    if (this.#filter.muted === false) all.push(this.#isUnmuted());
    return `SELECT f.id, NULL AS delta FROM findings f WHERE ${all.join(' AND ')}
            ORDER BY f.id DESC LIMIT ${this.#limit}`;
  }

  #isMuted(): string {
    this.#tables.push(mutedFindings(NOW));
    return this.#named('muted', 'f.id IN (SELECT id FROM muted)');
  }

  #isUnmuted(): string {
    return this.#named('unmuted', `NOT EXISTS (${mutesOf(NOW)})`);
  }

  /** What is asked for besides, compared row by row. */
  #restOf(columns: Partial<Record<'project' | 'severity' | 'status' | 'rule', true>>): string[] {
    const { project, severity, status, rule } = this.#filter;
    const rest: string[] = [];
    const any = (name: string, values: readonly string[], condition: (list: string) => string) =>
      rest.push(this.#named(name, condition(`${this.#placeholder(values)}::text[]`)));
    if (columns.severity && severity) {
      any('severity', severity, (list) => `f.severity = ANY (${list})`);
    }
    if (columns.status && status) any('status', status, (list) => `f.status = ANY (${list})`);
    if (columns.rule && rule) any('rule', rule, (list) => `f.rule_id = ANY (${list})`);
    if (columns.project && project) {
      any(
        'project',
        project,
        (list) =>
          `f.project_id = ANY (ARRAY(SELECT p.id FROM projects p WHERE p.tenant_id = $1 AND p.name = ANY (${list})))`,
      );
    }
    return rest;
  }

  /** Conditions come and go with what is asked for; each set of them has a name of its own. */
  #named(name: string, condition: string): string {
    this.#name.push(name);
    return condition;
  }

  #placeholder(value: unknown): string {
    this.#values.push(value);
    return `$${this.#values.length}`;
  }
}
