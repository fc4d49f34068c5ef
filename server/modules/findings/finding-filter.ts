import type { Severity } from '@cspm/scanner';
import { likeLiteral } from './like-pattern.ts';

/** Which findings to select. Every member that is set has to match; of a list, one value has to. */
export interface FindingFilter {
  readonly project?: readonly string[] | undefined;
  readonly severity?: readonly string[] | undefined;
  readonly status?: readonly string[] | undefined;
  readonly rule?: readonly string[] | undefined;
  /** What that scan saw or resolved, under the delta that it gave. */
  readonly scan?: string | undefined;
  readonly muted?: boolean | undefined;
  /** Literal text in the asset name, title, message or rule id, in any letter case. */
  readonly q?: string | undefined;
  readonly assetType?: readonly string[] | undefined;
  readonly delta?: readonly string[] | undefined;
  /** First seen at or after this time (RFC 3339). */
  readonly since?: string | undefined;
  /** The full name of an asset. */
  readonly asset?: string | undefined;
  /** 64 hex digits. */
  readonly fingerprint?: string | undefined;
}

/** From worst to least: the order of `sort=severity`. */
export const SEVERITIES = Object.keys({
  critical: true,
  high: true,
  medium: true,
  low: true,
  info: true,
} satisfies Record<Severity, true>);

/** The rank of the severity of `f` in SQL, 1 for the worst. */
export const RANK = `array_position(ARRAY[${SEVERITIES.map((one) => `'${one}'`).join(', ')}], f.severity)`;

/** The filters that are compared with one column. */
export type ColumnFilter = 'project' | 'severity' | 'status' | 'rule' | 'assetType' | 'delta';

/** Postgres truncates the name of a prepared statement after 63 bytes. */
const NAME_MAX = 63;

const UNPREPARED: ReadonlySet<string> = new Set([
  'assetType',
  'delta',
  'asset',
  'fingerprint',
  'since',
  'q',
  'after',
  'lastSeen',
]);

/** The parts of a statement that is put together from conditions: its values, and a name for each form of its text. */
export class StatementParts {
  readonly values: unknown[];
  readonly #name: string[] = [];

  constructor(...values: readonly unknown[]) {
    this.values = [...values];
  }

  /**
   * The name under which the statement is prepared. Empty when a part is one of many that combine freely: a connection
   * would otherwise keep a prepared statement for each of hundreds of combinations.
   */
  get name(): string {
    const name = this.#name.join('-');
    const isRare = this.#name.some((part) => UNPREPARED.has(part));
    return isRare || name.length > NAME_MAX ? '' : name;
  }

  /** Adds a value, and returns its placeholder. */
  placeholder(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** Conditions come and go with the filter; each set of them has a name of its own. */
  named<T extends string>(name: string, text: T): T {
    this.#name.push(name);
    return text;
  }

  /**
   * Conditions on `f` for these filters, as far as they are set.
   * @param deltaColumn where the delta is: that of the finding, or that which a scan recorded.
   */
  conditions(
    filter: FindingFilter,
    columns: readonly ColumnFilter[],
    deltaColumn = 'f.delta',
  ): string[] {
    return columns.flatMap((column) => {
      const values = filter[column];
      if (values === undefined) return [];
      const list = `${this.placeholder(values)}::text[]`;
      return [
        this.named(
          column,
          `${column === 'project' ? PROJECTS(list) : `${columnOf(column, deltaColumn)} = ANY (${list})`}`,
        ),
      ];
    });
  }

  /**
   * Conditions on `f` that are compared row by row. The asset name and the fingerprint have indexes, which Postgres uses
   * when they fit.
   */
  rowConditions({ q, since, asset, fingerprint }: FindingFilter): string[] {
    return [
      ...(fingerprint === undefined
        ? []
        : [
            this.named(
              'fingerprint',
              `f.fingerprint = decode(${this.placeholder(fingerprint)}, 'hex')`,
            ),
          ]),
      ...(asset === undefined
        ? []
        : [this.named('asset', `f.asset_name = ${this.placeholder(asset)}`)]),
      ...(since === undefined
        ? []
        : [this.named('since', `f.first_seen_at >= ${this.placeholder(since)}::timestamptz`)]),
      ...(q === undefined
        ? []
        : [this.named('q', containing(this.placeholder(`%${likeLiteral(q)}%`)))]),
    ];
  }
}

const PROJECTS = (list: string) =>
  `f.project_id = ANY (ARRAY(SELECT p.id FROM projects p WHERE p.tenant_id = $1 AND p.name = ANY (${list})))`;

function columnOf(filter: Exclude<ColumnFilter, 'project'>, deltaColumn: string): string {
  if (filter === 'delta') return deltaColumn;
  if (filter === 'rule') return 'f.rule_id';
  return filter === 'assetType' ? 'f.asset_type' : `f.${filter}`;
}

/** Whether a text is in the finding: a pattern that has any characters around the text. */
function containing(placeholder: string): string {
  const columns = ['f.asset_name', 'f.title', 'f.message', 'f.rule_id'];
  return `(${columns.map((column) => `${column} ILIKE ${placeholder}`).join(' OR ')})`;
}
