import type { Evaluation, Verdict } from '@cspm/scanner';
import type { Statement, TenantConnection } from '../database/tenant-database.ts';
import type { ScanOf } from './scan-write.ts';

/** Of what a rule misses, so much is kept. */
const MISSING_MOST = 20;

interface Count extends Record<Verdict, number> {
  /** What its verdicts `unknown` would have taken: asset types, or kinds of content. */
  readonly missing: Set<string>;
}

/** How often each verdict was given, by rule. */
export class Tally {
  readonly #counts = new Map<string, Count>();

  add({ ruleId, verdict, missing }: Evaluation): void {
    let count = this.#counts.get(ruleId);
    if (count === undefined) {
      count = { pass: 0, fail: 0, na: 0, unknown: 0, missing: new Set() };
      this.#counts.set(ruleId, count);
    }
    count[verdict] += 1;
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

  /** Adds all of it to what is counted of the scan of a project. */
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
