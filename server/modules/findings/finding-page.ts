import { AFTER_ALL_IDS } from '../../platform/ids.ts';
import {
  type ColumnFilter,
  type FindingFilter,
  RANK,
  SEVERITIES,
  StatementParts,
} from './finding-filter.ts';
import { type ScanMoment, seenBy } from './matching.ts';
import {
  anyScope,
  hasMute,
  IS_MUTED_WHOLE,
  IS_UNMUTED,
  mutedFindings,
  mutesOfAny,
  wholeMutes,
} from './muting.ts';
import { SEEN_FINDINGS } from './seen-findings.ts';

/*
 * Filters for a page of findings. The SQL built here costs in proportion to the page, not to the tenant's findings.
 * Each set of filters uses one of three indexes, all of which end in the id that orders pages: `project, severity,
 * status`, `rule, severity, status` and `severity, status`. One page is read from the index for each combination of
 * requested values, and the newest rows of all these are the page. Without this, Postgres would scan the tenant's
 * findings from the newest until enough match, which may be all of them.
 */

/** `newest`: by id. `severity`: most severe first, then newest. `lastSeen`: last seen first, then newest. */
export type FindingSort = 'newest' | 'severity' | 'lastSeen';

/** The finding after which a page begins. */
export interface FindingPosition {
  readonly id: string;
  /** What the list is sorted by before the id: empty, the severity, or the time it was last seen (RFC 3339). */
  readonly key: string;
}

export interface FindingPage {
  readonly sort: FindingSort;
  /** Null: the first page. */
  readonly after: FindingPosition | null;
  readonly limit: number;
  /** Decides which mutes are active. */
  readonly now: Date;
}

/**
 * Selects `id` and `delta` of the findings of a page, or of a few more. `name` is unique for each form of statement.
 */
export interface PageQuery {
  readonly name: string;
  /** Common table expressions that `text` needs, including `mutes_of_any`. */
  readonly tables: readonly string[];
  readonly text: string;
  /** The order of the page, in terms of the finding `f`. */
  readonly order: string;
  /** Whether none of the findings is muted. Default: no. */
  readonly isUnmuted?: boolean;
  /** The tenant and the moment are the first two. */
  readonly values: readonly unknown[];
}

/** A page of all findings of a tenant. */
export function pageOfTenant(
  tenantId: string,
  filter: FindingFilter,
  page: FindingPage,
): PageQuery {
  const paging = new Paging(tenantId, filter, page);
  return paging.query(paging.ofTenant());
}

/** A page of the findings that a scan saw or resolved. */
export function pageOfScan(
  tenantId: string,
  scan: ScanMoment,
  filter: FindingFilter,
  page: FindingPage,
): PageQuery {
  const paging = new Paging(tenantId, filter, page);
  return paging.query(paging.ofScan(scan));
}

const STATUSES = ['open', 'resolved'];
/**
 * Row limits, written into the statement: for a LIMIT parameter Postgres would plan for a tenth of all rows. There are
 * few, because each needs its own prepared statement: the default page, the largest page and the export page, each with
 * one extra row that tells whether there is a next page.
 */
const PAGES = [26, 101, 501];
const NOW = '$2::timestamptz';

/** The distinct values of a filter, or all values when it is not set. */
const distinct = (named: readonly string[] | undefined, all: readonly string[]) => [
  ...new Set(named ?? all),
];

/** In terms of the finding `f`. The id makes each order total, so a page begins where the one before ended. */
const ORDERS: Readonly<Record<FindingSort, string>> = {
  newest: 'f.id DESC',
  severity: `${RANK}, f.id DESC`,
  lastSeen: 'f.last_seen_at DESC, f.id DESC',
};

/** What the lists of a page are read by: for each value of a table, the rows whose column has it. */
interface By {
  readonly table: string;
  readonly column: string;
  /** The table has a second column: the id before which the rows of that value begin. */
  readonly hasBefore?: true;
  /** The condition that all rows of a value are not muted at once. */
  readonly isUnmuted?: string;
}

class Paging {
  readonly #parts: StatementParts;
  readonly #filter: FindingFilter;
  readonly #page: FindingPage;
  readonly #tables = [mutesOfAny(NOW)];
  readonly #limit: number;

  constructor(tenantId: string, filter: FindingFilter, page: FindingPage) {
    this.#parts = new StatementParts(tenantId, page.now);
    this.#filter = filter;
    this.#page = page;
    this.#limit = PAGES.find((size) => size >= page.limit) ?? page.limit;
    this.#parts.named(`findings-of-${this.#limit}`, '');
    if (page.sort !== 'newest') this.#parts.named(page.sort, '');
  }

  query(text: string): PageQuery {
    const { name, values } = this.#parts;
    return {
      name,
      tables: this.#tables,
      text,
      order: ORDERS[this.#page.sort],
      isUnmuted: this.#filter.muted === false,
      values,
    };
  }

  ofTenant(): string {
    const { project, severity, status, rule, muted, asset, fingerprint } = this.#filter;
    const { sort } = this.#page;
    // One finding, whose mutes are looked up.
    if (fingerprint !== undefined) return this.#sorted();
    if (muted === true) return this.#muted();
    if (sort === 'lastSeen' || asset !== undefined) return this.#sorted();
    if (project !== undefined) return this.#ofProjects(project);
    if (rule !== undefined) return this.#ofRules(rule);
    if (sort === 'severity' || severity !== undefined || status !== undefined) {
      return this.#ofSeverities();
    }
    return this.#newest('all', [], this.#before());
  }

  #ofSeverities(): string {
    return this.#merged('severities', [this.#severities(), this.#statuses()], []);
  }

  #ofRules(rules: readonly string[]): string {
    const values = this.#parts.placeholder(distinct(rules, []));
    const of = {
      table: `unnest(${values}::text[])`,
      column: 'rule_id',
      isUnmuted: IS_UNMUTED.rule_id('by_rule_id.value'),
    };
    return this.#merged('rules', [of, this.#severities(), this.#statuses()], []);
  }

  /** The rule is in the same index after the id, so it is compared there. */
  #ofProjects(projects: readonly string[]): string {
    const names = this.#parts.placeholder(distinct(projects, []));
    const of = {
      table: `(
        SELECT p.id FROM unnest(${names}::text[]) AS by_name(value)
        CROSS JOIN LATERAL (SELECT p.id FROM projects p WHERE p.tenant_id = $1 AND p.name = by_name.value LIMIT 1) p
      )`,
      column: 'project_id',
      isUnmuted: IS_UNMUTED.project_id('by_project_id.value'),
    };
    const by = [of, this.#severities(), this.#statuses()];
    return this.#merged('projects', by, this.#parts.conditions(this.#filter, ['rule']));
  }

  /**
   * In the order of severities, a page continues after a finding of its own severity, and with all findings of the
   * lesser ones.
   */
  #severities(): By {
    const asked = distinct(this.#filter.severity, SEVERITIES);
    const { sort, after } = this.#page;
    if (sort !== 'severity') {
      return { table: `unnest(${this.#parts.placeholder(asked)}::text[])`, column: 'severity' };
    }
    const reached = after === null ? 0 : SEVERITIES.indexOf(after.key);
    const left = asked.filter((severity) => SEVERITIES.indexOf(severity) >= reached);
    const before = left.map((severity) => (severity === after?.key ? after.id : AFTER_ALL_IDS));
    const [values, ids] = [this.#parts.placeholder(left), this.#parts.placeholder(before)];
    return {
      table: `unnest(${values}::text[], ${ids}::uuid[])`,
      column: 'severity',
      hasBefore: true,
    };
  }

  #statuses(): By {
    const values = this.#parts.placeholder(distinct(this.#filter.status, STATUSES));
    return { table: `unnest(${values}::text[])`, column: 'status' };
  }

  /** Muted findings are found through the mutes, because few findings are muted. */
  #muted(): string {
    this.#tables.push(mutedFindings(NOW, { whole: 'included' }));
    this.#parts.named('muted', '');
    const narrow = this.#parts.conditions(this.#filter, ['project', 'severity', 'status', 'rule']);
    const wide = this.#restOf(['assetType', 'delta']);
    const found =
      wide.length === 0 && this.#page.sort !== 'lastSeen'
        ? 'muted f'
        : `(SELECT f.id FROM muted f ${where(narrow)}) m
           CROSS JOIN LATERAL (SELECT * FROM ${SEEN_FINDINGS} f WHERE f.tenant_id = $1 AND f.id = m.id LIMIT 1) f`;
    const all = [...this.#afterwards(), ...(found === 'muted f' ? narrow : wide)];
    return `SELECT f.id, NULL AS delta FROM ${found} ${where(all)}
            ORDER BY ${ORDERS[this.#page.sort]} LIMIT ${this.#limit}`;
  }

  /**
   * Reads a scan's findings from the one partition of its month, in index order. The month must be in the text so that
   * Postgres plans for that partition only. The finding itself may have been deleted with its project.
   */
  ofScan(scan: ScanMoment): string {
    const seen = seenBy(this.#parts, scan);
    const { muted } = this.#filter;
    const isUnmuted = muted === false ? [this.#isUnmuted()] : [];
    const isSorted = this.#page.sort !== 'newest';
    const conditions = [
      'f.tenant_id = $1',
      'f.id = sf.finding_id',
      ...(muted === true ? [this.#isMuted()] : []),
      ...(isSorted ? [] : isUnmuted),
      ...this.#restOf(['project', 'severity', 'status', 'rule', 'assetType', 'delta'], 'sf.delta'),
    ];
    const columns = `sf.finding_id AS id, sf.delta, f.last_seen_at, ${RANK} AS rank`;
    const all = `SELECT ${columns}
            FROM scan_findings sf
            CROSS JOIN LATERAL (
              SELECT f.id, f.severity, f.last_seen_at FROM ${SEEN_FINDINGS} f ${where(conditions)} LIMIT 1) f
            WHERE ${seen}
              AND ${this.#afterwards('sf.finding_id').join(' AND ')}
            ORDER BY ${ORDERS[this.#page.sort].replace('f.id', 'sf.finding_id')}`;
    return isSorted && muted === false
      ? this.#firstUnmuted(all, isUnmuted)
      : `${all} LIMIT ${this.#limit}`;
  }

  /** The first rows that are not muted, of a statement in the order of the page. Mutes are looked up until the page is full. */
  #firstUnmuted(sorted: string, isUnmuted: readonly string[]): string {
    const rest = ['f.tenant_id = $1', 'f.id = s.id', ...isUnmuted];
    const order = ORDERS[this.#page.sort].replace(RANK, 's.rank').replaceAll('f.', 's.');
    return `SELECT s.id, s.delta FROM (${sorted} OFFSET 0) s
            CROSS JOIN LATERAL (SELECT 1 FROM findings f ${where(rest)} LIMIT 1) f
            ORDER BY ${order} LIMIT ${this.#limit}`;
  }

  /** Takes the first finding of each combination of values, and of these the first of the page. */
  #merged(name: string, by: readonly By[], conditions: readonly string[]): string {
    const tables = by.map(
      ({ table, column, hasBefore }) =>
        `${table} AS by_${column}(${hasBefore ? 'value, before' : 'value'})`,
    );
    const equal = by.map(({ column }) => `f.${column} = by_${column}.value`);
    const before = by.some(({ hasBefore }) => hasBefore) ? 'by_severity.before' : this.#before();
    const newest = this.#newest(name, [...equal, ...conditions], before);
    const unmuted =
      this.#filter.muted === false ? by.flatMap(({ isUnmuted = [] }) => isUnmuted) : [];
    return `SELECT f.id, NULL AS delta FROM ${tables.join(' CROSS JOIN ')} CROSS JOIN LATERAL (${newest}) f
            ${where([...unmuted, 'true'])}
            ORDER BY ${ORDERS[this.#page.sort]} LIMIT ${this.#limit}`;
  }

  #newest(name: string, conditions: readonly string[], before: string): string {
    this.#parts.named(name, '');
    const all = [
      'f.tenant_id = $1',
      `f.id < ${before}`,
      ...conditions,
      ...this.#restOf(['assetType', 'delta']),
    ];
    if (this.#filter.muted === false) all.push(this.#isUnmuted());
    const columns = this.#page.sort === 'severity' ? 'f.id, f.severity' : 'f.id';
    return `SELECT ${columns}, NULL AS delta FROM ${this.#findings()} f ${where(all)}
            ORDER BY f.id DESC LIMIT ${this.#limit}`;
  }

  /**
   * All findings that match; only the first are kept: for an order without an index, or when few match. The mutes of
   * a finding are looked up last, and only until the page is full.
   */
  #sorted(): string {
    this.#parts.named('sorted', '');
    const all = [
      'f.tenant_id = $1',
      ...this.#afterwards(),
      ...this.#restOf(['project', 'severity', 'status', 'rule', 'assetType', 'delta']),
    ];
    if (this.#filter.muted === true) all.push(this.#hasMute());
    const limit = `LIMIT ${this.#limit}`;
    const order = ORDERS[this.#page.sort];
    if (this.#filter.muted !== false) {
      return `SELECT f.id, NULL AS delta FROM ${this.#findings()} f ${where(all)} ORDER BY ${order} ${limit}`;
    }
    const columns = `f.id, NULL AS delta, f.last_seen_at, ${RANK} AS rank`;
    const sorted = `SELECT ${columns} FROM ${this.#findings()} f ${where(all)} ORDER BY ${order}`;
    return this.#firstUnmuted(sorted, [this.#isUnmuted()]);
  }

  /** The table, joined with what later scans have seen again if the page depends on it. */
  #findings(): string {
    const isNeeded = this.#filter.delta !== undefined || this.#page.sort === 'lastSeen';
    return isNeeded ? SEEN_FINDINGS : 'findings';
  }

  #isMuted(): string {
    this.#tables.push(wholeMutes(NOW), mutedFindings(NOW, { whole: 'apart' }));
    return this.#parts.named('muted', `(${IS_MUTED_WHOLE} OR f.id IN (SELECT id FROM muted))`);
  }

  #isUnmuted(): string {
    this.#tables.push(wholeMutes(NOW), anyScope(NOW));
    return this.#parts.named('unmuted', `NOT ${IS_MUTED_WHOLE} AND NOT ${hasMute(NOW)}`);
  }

  #hasMute(): string {
    this.#tables.push(wholeMutes(NOW), anyScope(NOW));
    return this.#parts.named('muted', `(${IS_MUTED_WHOLE} OR ${hasMute(NOW)})`);
  }

  /** The other filters, compared row by row. */
  #restOf(columns: readonly ColumnFilter[], deltaColumn?: string): string[] {
    return [
      ...this.#parts.conditions(this.#filter, columns, deltaColumn),
      ...this.#parts.rowConditions(this.#filter),
    ];
  }

  /** The id before which a list in the order of ids begins. */
  #before(): string {
    return `${this.#parts.placeholder(this.#page.after?.id ?? AFTER_ALL_IDS)}::uuid`;
  }

  /** The findings after the position of the page, in an order that no index has. */
  #afterwards(id = 'f.id'): string[] {
    const { sort, after } = this.#page;
    if (sort === 'newest') return [`${id} < ${this.#before()}`];
    if (after === null) return ['true'];
    this.#parts.named('after', '');
    const before = this.#before();
    if (sort === 'lastSeen') {
      const at = `${this.#parts.placeholder(after.key)}::timestamptz`;
      return [`(f.last_seen_at, ${id}) < (${at}, ${before})`];
    }
    const reached = `${this.#parts.placeholder(SEVERITIES.indexOf(after.key) + 1)}::int`;
    return [`(${RANK} > ${reached} OR ${RANK} = ${reached} AND ${id} < ${before})`];
  }
}

function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}
