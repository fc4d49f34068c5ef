import type { Verdict } from '@cspm/scanner';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import type { ScanOf } from './scan-lock.ts';

/** Maximum number of missing items stored per rule. */
const MISSING_MOST = 20;

interface Count extends Record<Verdict, number> {
  /** What was missing for verdicts `unknown`: asset types or kinds of content. */
  readonly missing: Set<string>;
}

/** Verdict counts of one rule, in a form that can be sent to another process. */
export interface RuleVerdictCounts extends Readonly<Record<Verdict, number>> {
  readonly ruleId: string;
  readonly missing: readonly string[];
}

interface CountedVerdict {
  readonly ruleId: string;
  readonly verdict: Verdict;
  readonly missing: string | null;
}

/** Verdict counts by rule. */
export class VerdictCounts {
  readonly #counts = new Map<string, Count>();

  constructor(countsByRule: readonly RuleVerdictCounts[] = []) {
    for (const { ruleId, missing, ...verdicts } of countsByRule) {
      this.#counts.set(ruleId, { ...verdicts, missing: new Set(missing) });
    }
  }

  get byRule(): readonly RuleVerdictCounts[] {
    return [...this.#counts].map(([ruleId, { missing, ...verdicts }]) => ({
      ruleId,
      ...verdicts,
      missing: [...missing],
    }));
  }

  /** @param times the number of assets with this verdict */
  add({ ruleId, verdict, missing }: CountedVerdict, times = 1): void {
    let count = this.#counts.get(ruleId);
    if (count === undefined) {
      count = { pass: 0, fail: 0, na: 0, unknown: 0, missing: new Set() };
      this.#counts.set(ruleId, count);
    }
    count[verdict] += times;
    if (missing !== null && count.missing.size < MISSING_MOST) {
      for (const one of missing.split(', ')) count.missing.add(one);
    }
  }

  get totals(): Record<Verdict, number> {
    const totals = { pass: 0, fail: 0, na: 0, unknown: 0 };
    for (const count of this.#counts.values()) {
      totals.pass += count.pass;
      totals.fail += count.fail;
      totals.na += count.na;
      totals.unknown += count.unknown;
    }
    return totals;
  }

  /** Adds all counts to the project's scan. */
  async write(db: TenantConnection, of: ScanOf): Promise<void> {
    if (this.#counts.size === 0) return;
    const rows = [...this.#counts.values()];
    await db.sql(ADD, [
      db.tenantId,
      of.scanId,
      of.projectId,
      [...this.#counts.keys()],
      rows.map((row) => row.pass),
      rows.map((row) => row.fail),
      rows.map((row) => row.na),
      rows.map((row) => row.unknown),
      rows.map(({ missing }) => JSON.stringify([...missing].slice(0, MISSING_MOST))),
    ]);
  }
}

const ADD: Statement = {
  name: 'rule-counts-add',
  reason: 'set',
  text: `
    INSERT INTO scan_rule_counts AS c (tenant_id, scan_id, project_id, rule_id, pass, fail, na, unknown, missing)
    SELECT $1, $2, $3, n.rule_id, n.pass, n.fail, n.na, n.unknown,
           ARRAY(SELECT jsonb_array_elements_text(n.missing) ORDER BY 1)
    FROM unnest($4::text[], $5::int[], $6::int[], $7::int[], $8::int[], $9::jsonb[])
      AS n(rule_id, pass, fail, na, unknown, missing)
    ON CONFLICT (tenant_id, scan_id, project_id, rule_id) DO UPDATE SET
      pass = c.pass + EXCLUDED.pass, fail = c.fail + EXCLUDED.fail,
      na = c.na + EXCLUDED.na, unknown = c.unknown + EXCLUDED.unknown,
      missing = CASE WHEN EXCLUDED.missing <@ c.missing THEN c.missing ELSE ARRAY(
        SELECT DISTINCT m FROM unnest(c.missing || EXCLUDED.missing) AS m ORDER BY m LIMIT ${MISSING_MOST}) END`,
};
